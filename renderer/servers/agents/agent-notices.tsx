import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { problemDocument } from '#contracts/kernel/problems.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import { ApiProblem } from '../../kit/api/api-problem.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { problemWords } from '../../kit/language/problem-words.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { agentWarnings } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';

/** The refusal as an API problem; its code may be from another version. */
export const asProblem = ({
  code,
  detail,
}: {
  readonly code: string;
  readonly detail: string | null;
}): Error => {
  const told = { type: 'about:blank', title: code, status: 403, ...(detail === null ? {} : { detail }) };
  const known = problemDocument.safeParse({ ...told, code });
  return new ApiProblem(known.success ? known.data : told, null);
};

/** The problems of an agent, and what to do about each. */
export const AgentNotices = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  const language = useLanguage();
  const { lastRefusal } = agent;
  const refusal = lastRefusal && problemWords(asProblem(lastRefusal), language);
  return (
    <>
      {lastRefusal && refusal && (
        <Notice color="var(--tone-bad)" title={`${words.refusal}: ${refusal.title}`}>
          <Text>{refusal.text}</Text>
          {refusal.remedy && !refusal.text.includes(refusal.remedy) && <Text>{refusal.remedy}</Text>}
          <Text c="dimmed" size="sm">
            {words.refusalFrom(lastRefusal.address)} · <TimeAgo at={lastRefusal.at} />
          </Text>
        </Notice>
      )}
      {agentWarnings(agent).map((warning) => (
        <Notice key={warning} color="var(--tone-warn)" title={words.warnings[warning].title}>
          <Text>{words.warnings[warning].text}</Text>
        </Notice>
      ))}
    </>
  );
};

const Notice = ({
  color,
  title,
  children,
}: {
  readonly color: string;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <Alert color={color} variant="outline" icon={<IconAlertTriangle aria-hidden />} title={title} role="status">
    {children}
  </Alert>
);
