import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';

/** Stands for a page or a list that is on its way. */
export const Loading = ({ rows = 4 }: { readonly rows?: number }) => {
  const words = useWords(designWords);
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Skeleton key={index} height={36} aria-hidden />
      ))}
    </Stack>
  );
};
