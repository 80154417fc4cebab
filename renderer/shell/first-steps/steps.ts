import type { ComponentType } from 'react';
import { AgentStep } from './agent-step.tsx';
import { ClusterStep } from './cluster-step.tsx';
import { CommandStep } from './command-step.tsx';
import { DeliveryStep } from './delivery-step.tsx';
import { type StepBodyProps, type StepFacts, stepFacts } from './onboarding-status.ts';
import { OnlineStep } from './online-step.tsx';
import { OwnerStep } from './owner-step.tsx';
import { PointsStep } from './points-step.tsx';
import { ProductStep } from './product-step.tsx';
import { ServerStep } from './server-step.tsx';

export interface Step extends StepFacts {
  /** The instructions, and once the step is done, the result. */
  readonly Body: ComponentType<StepBodyProps>;
  /** Its result is worth a look: it does not close when the next step's turn comes. */
  readonly staysOpen?: boolean;
}

const bodies = {
  owner: OwnerStep,
  cluster: ClusterStep,
  server: ServerStep,
  online: OnlineStep,
  command: CommandStep,
  agent: AgentStep,
  product: ProductStep,
  points: PointsStep,
  delivery: DeliveryStep,
} as const satisfies Record<StepFacts['id'], ComponentType<StepBodyProps>>;

/** The guide, in its order. A new step needs a line in onboarding-status.ts, a body here and its words. */
export const steps: readonly Step[] = stepFacts.map((facts) => ({
  ...facts,
  Body: bodies[facts.id],
  staysOpen: facts.id === 'command' || facts.id === 'delivery',
}));
