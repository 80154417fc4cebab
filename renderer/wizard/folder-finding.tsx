import { Text } from '@mantine/core';
import { type FolderWarning, folderFindingWords } from '#contracts/folder-findings.ts';
import { StateLabel } from '../design/state-label.tsx';
import { useWords } from '../language/use-words.ts';

/** The letter, number, account or path that the words of a refused folder leave open. */
export const FindingDetail = ({ finding }: { readonly finding: { readonly detail: string } }) => (
  <Text size="sm" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
    <bdi>{finding.detail}</bdi>
  </Text>
);

/** What a person should know before a folder is used all the same. */
export const FolderWarningText = ({ warning }: { readonly warning: FolderWarning }) => {
  const words = useWords(folderFindingWords);
  return (
    <StateLabel tone="warn" isPlain>
      {words[warning.code]}
    </StateLabel>
  );
};
