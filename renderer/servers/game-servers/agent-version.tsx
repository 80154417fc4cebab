import { Text } from '@mantine/core';
import type { Agent } from '#contracts/servers/agents.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { agentVersionWords } from './agent-version.words.ts';

type Renewal = NonNullable<Agent['renewal']>;

/** The version of an agent, and the result of its update to a newer one. */
export const AgentVersion = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentVersionWords);
  const { version, offeredVersion, renewal } = agent;
  return (
    <>
      {version !== null && (
        <div>
          <bdi>{version}</bdi>
        </div>
      )}
      {renewal ? (
        <Update renewal={renewal} />
      ) : (
        offeredVersion !== null && (
          <Text size="sm" c="dimmed">
            {words.offered(offeredVersion)}
          </Text>
        )
      )}
    </>
  );
};

const Update = ({ renewal }: { readonly renewal: Renewal }) => {
  const words = useWords(agentVersionWords);
  const { step, detail, againAt } = renewal;
  const told = useTold();
  const version = renewal.version ?? words.unnamed;
  if (step === 'fetching' || step === 'trying')
    return (
      <>
        <StateLabel tone="busy">{words.updating(version)}</StateLabel>
        <Text size="sm" c="dimmed">
          {step === 'trying' && `${words.trying} `}
          <TimeAgo at={renewal.at} />
        </Text>
      </>
    );
  return (
    <>
      <StateLabel tone="warn">{words.steps[step](version)}</StateLabel>
      {detail !== null && (
        <Text size="sm">
          <bdi>{told(detail)}</bdi>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {words.remedies[step]}
        {againAt !== null && (
          <>
            {' '}
            {words.again} <TimeAgo at={againAt} />.
          </>
        )}
      </Text>
    </>
  );
};
