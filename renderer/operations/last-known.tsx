import { Text } from '@mantine/core';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { stackHealthWords } from './stack-health/stack-health.words.ts';

/** "Last known: 2 minutes ago", beside data that may have changed unseen. */
export const LastKnown = ({ at }: { readonly at: string }) => {
  const words = useWords(stackHealthWords);
  return (
    <Text size="sm" c="dimmed">
      {words.lastKnown} <TimeAgo at={at} />
    </Text>
  );
};
