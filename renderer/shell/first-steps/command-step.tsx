import { Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { EntryOutcome } from '../../servers/outcome-label.tsx';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { plainText } from '../../servers/plain-text.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';

export const CommandStep = ({ status: { servers = [], answered } }: StepBodyProps) => {
  const { command: words } = useWords(firstStepsWords);
  const can = useCan();
  const [wanted, setWanted] = useState<string | null>(null);
  const run = useChange(consoleHttp.run, [consoleHttp.history]);
  const online = servers.filter(({ id, status }) => status.state === 'online' && can('console.write', id));
  const server = online.find(({ id }) => id === wanted) ?? online[0];
  const entry = run.data?.entries[0];

  if (answered && !entry)
    return (
      <Text>
        {words.have} <Code>{answered.command}</Code> <TimeAgo at={answered.at} />.{' '}
        <PanelLink to={`/servers/${encodeURIComponent(answered.serverId)}/console`} underline="always">
          {words.to}
        </PanelLink>
      </Text>
    );
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {server ? (
        <Group align="flex-end" gap="sm">
          <Select
            label={words.server}
            data={online.map(({ id, name }) => ({ value: id, label: name }))}
            value={server.id}
            onChange={setWanted}
            allowDeselect={false}
          />
          <Button
            loading={run.isPending}
            onClick={() =>
              run.mutate({ body: { serverIds: [server.id], command: games[server.game].question } })
            }
          >
            {words.send}
          </Button>
          <Text c="dimmed" mb={7}>
            {words.command}: <Code>{games[server.game].question}</Code>
          </Text>
        </Group>
      ) : (
        <Text>{words.none}</Text>
      )}
      {run.error && <Trouble error={run.error} />}
      {entry && <Answer entry={entry} />}
    </Stack>
  );
};

const Answer = ({ entry }: { readonly entry: ConsoleEntry }) => {
  const { outcome, reply, serverId } = entry;
  const { command: words } = useWords(firstStepsWords);
  const { remedies } = useWords(outcomesWords);
  return (
    <Stack gap="xs" role="status" align="flex-start">
      <EntryOutcome entry={entry} />
      {outcome !== 'answered' && outcome && <Text>{remedies[outcome]}</Text>}
      {outcome === 'answered' && (
        <>
          <Text>{reply?.trim() ? words.reply : words.emptyReply}</Text>
          {reply?.trim() && (
            <Code block maw="100%" dir="auto" tabIndex={0} role="region" aria-label={words.reply}>
              {plainText(reply)}
            </Code>
          )}
          <PanelLink to={`/servers/${encodeURIComponent(serverId)}/console`}>{words.to}</PanelLink>
        </>
      )}
    </Stack>
  );
};
