import { Text } from '@mantine/core';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { outcomesWords } from '../outcomes.words.ts';

/** The outcome that was shown for a command until its result came, late; nothing if there was none. */
export const RevisedNote = ({ revised }: Pick<ConsoleEntry, 'revised'>) => {
  const words = useWords(outcomesWords);
  return (
    revised && (
      <Text size="sm" c="dimmed">
        {words.revised(words.outcomes[revised.from])} <TimeAgo at={revised.at} />
      </Text>
    )
  );
};
