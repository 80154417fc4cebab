import { Stack, Text } from '@mantine/core';
import type { ModerationReport } from '#contracts/players.ts';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import { OutcomeLabel } from '../game-servers/outcome-label.tsx';
import { outcomesWords } from '../game-servers/outcomes.words.ts';
import { plainText } from '../game-servers/plain-text.ts';
import { useWords } from '../language/use-words.ts';

const tones = { done: 'ok', failed: 'bad', later: 'warn', unproven: 'warn' } as const satisfies Record<
  NonNullable<ModerationReport['verdict']>,
  Tone
>;

/** What became of an order, as far as the game's answer proves it. It stands within a `role="status"`. */
export const ActionReport = ({ report }: { readonly report: ModerationReport }) => {
  const words = useWords(outcomesWords);
  const { outcome, verdict, detail } = report;
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
