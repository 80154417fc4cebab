import { Stack, Text } from '@mantine/core';
import type { LicenseState, LicenseStatus } from '#contracts/license-state.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { StateLabel, type Tone } from '../../design/state-label.tsx';
import { problemTexts } from '../../language/problem-texts.ts';
import { useFormat } from '../../language/use-format.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { Countdown } from './countdown.tsx';
import { licenseWords } from './license.words.ts';
import { clockBehindSeconds } from './license-clock.ts';

const tones: Readonly<Record<LicenseState, Tone>> = {
  valid: 'ok',
  grace: 'warn',
  rejected: 'bad',
  unlicensed: 'bad',
};

interface StatusProps {
  readonly status: LicenseStatus;
}

/** Both clocks, where they tell why a license does not hold, or soon will not. */
const Clocks = ({ status: { clock } }: StatusProps) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const behind = clockBehindSeconds(clock);
  return (
    <section>
      {behind !== null && (
        <Text fw={600}>
          <StateLabel tone="warn">{words.clockBehind(format.duration(behind))}</StateLabel>
        </Text>
      )}
      <Text>{words.clockToDo}</Text>
      <Facts
        facts={[
          { label: words.clockLocal, value: format.exact(clock.local) },
          { label: words.clockKnown, value: clock.known ? format.exact(clock.known) : words.unknown },
        ]}
      />
    </section>
  );
};

/** Whether the license holds; if not, why, and what to do about it. */
export const LicenseStateCard = ({ status, isLastKnown }: StatusProps & { isLastKnown: boolean }) => {
  const words = useWords(licenseWords);
  const language = useLanguage();
  const { state, code, lastCheck, graceEndsAt } = status;
  const fault = code && problemTexts(code, language);
  return (
    <Card title={words.stateTitle}>
      <Stack gap="sm">
        <Text fw={600} role="status">
          <StateLabel tone={isLastKnown ? 'idle' : tones[state]}>{words.states[state]}</StateLabel>
        </Text>
        <Text>{words.texts[state]}</Text>
        {state === 'grace' && graceEndsAt && (
          <>
            <Text size="xl" fw={600}>
              {words.graceEnds} <Countdown until={graceEndsAt} whenOver={words.graceOver} />
            </Text>
            <Text>{words.graceToDo}</Text>
          </>
        )}
        {fault && (
          <>
            <Text>
              <strong>{words.whatIsWrong}:</strong> {fault.meaning}
            </Text>
            <Text>
              <strong>{words.whatToDo}:</strong> {fault.remedy}
            </Text>
          </>
        )}
        {lastCheck?.detail && (
          <Text size="sm" c="dimmed" lang="en">
            <bdi>{lastCheck.detail}</bdi>
          </Text>
        )}
        {(code === 'CLOCK_ROLLED_BACK' || clockBehindSeconds(status.clock) !== null) && (
          <Clocks status={status} />
        )}
      </Stack>
    </Card>
  );
};
