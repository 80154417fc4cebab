import { Code, Group } from '@mantine/core';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from '../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../operations/computer/desktop-actions/wizard.words.ts';

/** The hardware ID of this machine, to copy exactly. */
export const HwidLine = ({ hwid }: { readonly hwid: string }) => {
  const words = useWords(wizardWords);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className={classes.long}>{hwid}</Code>
      <CopyButton value={hwid} label={words.copyHwid} />
    </Group>
  );
};
