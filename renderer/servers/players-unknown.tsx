import { Text } from '@mantine/core';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { playersWords } from './players.words.ts';

export const PlayersUnknown = ({
  asOf,
}: {
  /** The time up to which it was known. */
  readonly asOf: string | null;
}) => {
  const words = useWords(playersWords);
  return (
    <Text c="dimmed" component="div">
      {words.unknown}
      {asOf !== null && (
        <>
          {' '}
          ({words.unknownSince} <TimeAgo at={asOf} />)
        </>
      )}
    </Text>
  );
};
