import { Text } from '@mantine/core';
import { hasLooseEnds } from '#contracts/kernel/pasted-text.ts';
import { useWords } from '../language/use-words.ts';
import { formsWords } from './forms.words.ts';

/** Says of a password, which is saved as it is typed, that it may hold more than was meant. */
export const LooseEndsHint = ({ text }: { readonly text: string }) => {
  const words = useWords(formsWords);
  return <div role="status">{hasLooseEnds(text) && <Text size="sm">{words.looseEnds}</Text>}</div>;
};
