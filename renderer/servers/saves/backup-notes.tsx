import { List } from '@mantine/core';
import { useWords } from '../../kit/language/use-words.ts';
import { savesWords } from './saves.words.ts';
import { noteInWords } from './saves-in-words.ts';

/** The notes to read before a backup is restored. */
export const Notes = ({ notes }: { readonly notes: readonly string[] }) => {
  const words = useWords(savesWords);
  if (notes.length === 0) return null;
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {notes.map((note) => (
        <List.Item key={note}>
          <bdi>{noteInWords(note, words.notes)}</bdi>
        </List.Item>
      ))}
    </List>
  );
};
