import { Code, Group } from '@mantine/core';
import { CopyButton } from '../../design/copy-button.tsx';
import { useWords } from '../../language/use-words.ts';
import { agentsWords } from './agents.words.ts';

/** A command to copy into a terminal. */
export const CommandLine = ({ command }: { readonly command: string }) => {
  const words = useWords(agentsWords);
  return (
    <Group gap="xs" wrap="nowrap">
      <Code dir="ltr">{command}</Code>
      <CopyButton value={command} label={words.copyCommand} />
    </Group>
  );
};
