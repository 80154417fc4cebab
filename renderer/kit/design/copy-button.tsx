import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';

export const CopyButton = ({
  value,
  label,
}: {
  readonly value: string;
  /** The content that is copied, for a screen reader: "Copy server id". */
  readonly label?: string;
}) => {
  const words = useWords(designWords);
  const clipboard = useClipboard({ timeout: 1500 });
  const says = clipboard.error ? words.cannotCopy : clipboard.copied ? words.copied : (label ?? words.copy);
  const Icon = clipboard.error ? IconAlertTriangle : clipboard.copied ? IconCheck : IconCopy;
  return (
    <Tooltip label={says}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={says}
        onClick={() => clipboard.copy(value)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
};
