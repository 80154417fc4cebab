import { Stack, Text } from '@mantine/core';
import type { PlayerOrderReport } from '#contracts/players.ts';
import { StateLabel } from '../../../design/state-label.tsx';
import { useWords } from '../../../language/use-words.ts';
import { OutcomeLabel } from '../outcome-label.tsx';
import { outcomesWords } from '../outcomes.words.ts';
import { plainText } from '../plain-text.ts';

const tones = { done: 'ok', failed: 'bad', later: 'warn', unproven: 'warn' } as const;

/** What became of an order to a game. */
export const OrderReport = ({ report }: { readonly report: PlayerOrderReport }) => {
  const words = useWords(outcomesWords);
  const { verdict, outcome, detail } = report;
  return (
    <Stack gap={4}>
      {verdict ? (
        <StateLabel tone={tones[verdict]}>{words.verdicts[verdict]}</StateLabel>
      ) : (
        <OutcomeLabel outcome={outcome} />
      )}
      <Text size="sm">{verdict ? words.verdictTexts[verdict] : words.remedies[outcome]}</Text>
      {detail !== '' && verdict !== 'done' && (
        <Text size="sm" c="dimmed">
          {words.gameSays} <bdi>{plainText(detail)}</bdi>
        </Text>
      )}
    </Stack>
  );
};
