import type { LiveTopic } from '../../live/live-topic.ts';
import {
  createEnrolmentExchange,
  type EnrolAgent,
  type EnrolmentExchangeOptions,
} from './enrolment-exchange.ts';
import { createEnrolmentTopic } from './enrolment-topic.ts';
import { createEnrolments, type Enrolments } from './enrolments.ts';
import { createInstallAgent, type InstallAgentOptions } from './install-agent.ts';

export interface AgentEnrolmentOptions
  extends InstallAgentOptions,
    Omit<EnrolmentExchangeOptions, 'enrolments' | 'install' | 'changed'> {}

/** How a code from the panel makes an agent its server's agent. */
export interface AgentEnrolment {
  readonly enrolments: Enrolments;
  readonly topic: LiveTopic;
  readonly enrol: EnrolAgent;
}

export const createAgentEnrolment = (options: AgentEnrolmentOptions): AgentEnrolment => {
  const { db, secrets, wallNow } = options;
  const topic = createEnrolmentTopic();
  const enrolments = createEnrolments({ db, secrets, wallNow, changed: topic.changed });
  const install = createInstallAgent(options);
  const enrol = createEnrolmentExchange({ ...options, enrolments, install, changed: topic.changed });
  return { enrolments, topic, enrol };
};
