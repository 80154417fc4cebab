import { Code, Group, Stack, Text } from '@mantine/core';
import { Card } from '../../../design/card.tsx';
import { CopyButton } from '../../../design/copy-button.tsx';
import { useWords } from '../../../language/use-words.ts';
import { savesWords } from './saves.words.ts';
import { clockTime } from './saves-in-words.ts';

/** As in the examples of the documentation, and a time at which few people play. */
const usualMinute = 4 * 60 + 30;

export interface NightlyCardProps {
  readonly serverId: string;
  /** Null: no automatic backups. */
  readonly atMinute: number | null;
}

/** Nightly backups can only be set on the game's machine: what to write there, and where. */
export const NightlyCard = ({ serverId, atMinute }: NightlyCardProps) => {
  const words = useWords(savesWords);
  const time = clockTime(atMinute ?? usualMinute);
  const setting = `"saves": { "nightlyAt": "${time}" }`;
  const paths = [
    [words.onLinux, `/var/lib/castellan-agent/servers/${serverId}/config.json`],
    [words.onWindows, `C:\\ProgramData\\Castellan Agent\\servers\\${serverId}\\config.json`],
  ] as const;
  return (
    <Card title={words.setThere}>
      <Text size="sm">{atMinute === null ? words.offText : words.onText}</Text>
      <Setting text={setting} label={words.copySetting} />
      <Text size="sm" c="dimmed">
        {words.keeping}
      </Text>
      <Stack gap="xs">
        <Text size="sm">{words.where}</Text>
        {paths.map(([system, path]) => (
          <Stack key={system} gap={2}>
            <Text size="sm" c="dimmed">
              {system}
            </Text>
            <Setting text={path} label={`${words.copyPath}: ${system}`} />
          </Stack>
        ))}
      </Stack>
    </Card>
  );
};

const Setting = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text} label={label} />
  </Group>
);
