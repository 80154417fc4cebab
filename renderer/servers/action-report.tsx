import { Stack, Text } from '@mantine/core';
import { reasonOf } from '#contracts/kernel/reasons.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import { StateLabel } from '../kit/design/state-label.tsx';
import { Said } from '../kit/language/said.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { moderationWords } from './moderation.words.ts';
import { OutcomeLabel } from './outcome-label.tsx';
import { verdictTones } from './outcome-view.ts';
import { outcomesWords } from './outcomes.words.ts';
import { plainText } from './plain-text.ts';

/** The result of an order, as far as the game's reply proves it. It is inside a `role="status"`. */
export const ActionReport = ({ report }: { readonly report: ModerationReport }) => {
  const words = useWords(outcomesWords);
  const moderation = useWords(moderationWords);
  const { outcome, verdict, detail, kept } = report;
  if (kept)
    return (
      <Stack gap={4}>
        {verdict === 'failed' ? (
          <>
            <StateLabel tone={verdictTones.failed}>{moderation.refused}</StateLabel>
            <Text size="sm">{moderation.refusedText}</Text>
            {detail !== '' && (
              <Text size="sm" c="dimmed">
                <Said reason={reasonOf(detail)} detail={plainText(detail)} />
              </Text>
            )}
          </>
        ) : (
          <>
            <StateLabel tone="busy">{moderation.kept}</StateLabel>
            <Text size="sm">{moderation.keptText}</Text>
          </>
        )}
      </Stack>
    );
  return (
    <Stack gap={4}>
      {verdict ? (
        <StateLabel tone={verdictTones[verdict]}>{words.verdicts[verdict]}</StateLabel>
      ) : (
        <OutcomeLabel outcome={outcome} isGameError={false} />
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
