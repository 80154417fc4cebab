import { Text } from '@mantine/core';
import { type FolderWarning, folderFindingWords } from '#contracts/operations/folder-findings.ts';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useTold } from '../../../kit/language/use-told.ts';
import { useWords } from '../../../kit/language/use-words.ts';

/** The letter, number, account or path that the words of a refused folder leave open. */
export const FindingDetail = ({ finding: { detail } }: { readonly finding: { readonly detail: string } }) => {
  const said = useTold()(detail);
  return (
    <Text size="sm" c="dimmed" lang={said === detail ? 'en' : undefined} style={{ overflowWrap: 'anywhere' }}>
      <bdi>{said}</bdi>
    </Text>
  );
};

/** What a person should know before a folder is used all the same. */
export const FolderWarningText = ({ warning }: { readonly warning: FolderWarning }) => {
  const words = useWords(folderFindingWords);
  return (
    <StateLabel tone="warn" isPlain>
      {words[warning.code]}
    </StateLabel>
  );
};
