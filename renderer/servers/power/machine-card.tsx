import { Code, Group, Text } from '@mantine/core';
import type { MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { powerWords } from './power.words.ts';

const setup = 'castellan-agent setup';

/** The settings made on the game's machine, and how to change them there. */
export const MachineCard = ({ machine }: { readonly machine: MachineFacts }) => {
  const words = useWords(powerWords);
  const format = useFormat();
  const allowed = (['power', 'files', 'mods', 'backups'] as const).filter((name) => machine.allows[name]);
  return (
    <Card title={words.machine}>
      <Text size="sm" c="dimmed">
        {words.machineText}
      </Text>
      <Facts
        facts={[
          {
            label: words.folder,
            value: machine.folder === null ? words.notSet : <bdi>{machine.folder}</bdi>,
          },
          {
            label: words.start,
            value: (
              <>
                {words.methods[machine.startMethod]}
                {machine.startDetail !== null && (
                  <>
                    : <Code dir="ltr">{machine.startDetail}</Code>
                  </>
                )}
              </>
            ),
          },
          {
            label: words.account,
            value: machine.account === null ? words.agentsAccount : <bdi>{machine.account}</bdi>,
          },
          {
            label: words.allowed,
            value:
              allowed.length === 0
                ? words.nothingAllowed
                : format.list(allowed.map((name) => words.allows[name])),
          },
        ]}
      />
      <Group gap="xs">
        <Text size="sm">{words.howToChange}</Text>
        <Code dir="ltr">{setup}</Code>
        <CopyButton value={setup} label={words.copyCommand} />
      </Group>
    </Card>
  );
};
