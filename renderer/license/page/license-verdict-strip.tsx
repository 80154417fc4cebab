import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { readKey, useChange } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { Facts } from '../../kit/design/facts.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { remedyOf } from '../remedy.ts';
import { ownWordsOf } from '../vendor-words.ts';
import { CustomerAreaLink } from './customer-area-link.tsx';
import classes from './license.module.css';
import { licenseWords } from './license.words.ts';
import { outcomeTones } from './license-checks.tsx';
import { clockBehindSeconds, timeLeft } from './license-clock.ts';
import { licenseVerdict } from './license-verdict.ts';

/** The time left until a moment, by the clock of the API's machine. */
const Countdown = ({
  until,
  whenOver,
}: {
  /** ISO 8601. */
  readonly until: string;
  readonly whenOver: string;
}) => {
  const format = useFormat();
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = timeLeft(until, nowMs, format.duration);
  return (
    <time dateTime={until} role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {left?.text ?? whenOver}
    </time>
  );
};

/** Asks the portal immediately, and shows its answer. */
const CheckNow = () => {
  const words = useWords(licenseWords);
  const client = useQueryClient();
  const check = useChange(licenseStateHttp.check, []);
  const { data } = check;
  useEffect(() => {
    if (data) client.setQueryData(readKey(licenseStateHttp.status, {}), data);
  }, [client, data]);
  const outcome = data?.lastCheck?.outcome;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate({})}>
        {words.checkNow}
      </Button>
      <div role="status">
        {check.isPending && <StateLabel tone="busy">{words.checking}</StateLabel>}
        {data && !check.isPending && (
          <StateLabel tone={outcome ? outcomeTones[outcome] : 'idle'}>
            {words.checked[outcome ?? 'never']}
          </StateLabel>
        )}
      </div>
      {check.error && <Trouble error={check.error} />}
    </Stack>
  );
};

interface StatusProps {
  readonly status: LicenseStatus;
}

/** Both clocks, if they explain why a license does not work, or soon will not. */
const Clocks = ({ status: { clock } }: StatusProps) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const behind = clockBehindSeconds(clock);
  return (
    <div>
      {behind !== null && <Text>{words.clockBehind(format.duration(behind))}</Text>}
      {clock.aheadSeconds !== undefined && (
        <Text>{words.clockAhead(format.duration(clock.aheadSeconds))}</Text>
      )}
      <Text c="dimmed">{words.clockToDo}</Text>
      <Facts
        facts={[
          { label: words.clockLocal, value: format.exact(clock.local) },
          { label: words.clockKnown, value: clock.known ? format.exact(clock.known) : words.unknown },
        ]}
      />
    </div>
  );
};

const Reason = ({ status }: StatusProps) => {
  const words = useWords(licenseWords);
  const language = useLanguage();
  const format = useFormat();
  const told = useTold();
  const verdict = licenseVerdict(status);
  const { expiresAt, graceEndsAt, lastCheck, endsAt } = status;
  if (verdict.says === 'active')
    return (
      <Text c="dimmed">
        {expiresAt
          ? words.verifiedUntil(`${format.date(expiresAt)}, ${format.minute(expiresAt)}`)
          : words.verified}
      </Text>
    );
  if (verdict.says !== 'refused')
    return (
      <>
        {graceEndsAt && (
          <Text>
            {words.worksFor} <Countdown until={graceEndsAt} whenOver={words.graceOver} />
          </Text>
        )}
        <Text>{words.reasons[verdict.says]}</Text>
        <Text c="dimmed">{words.toDo[verdict.says]}</Text>
        {lastCheck?.detail && (
          <Text size="sm" c="dimmed">
            <bdi>{told(lastCheck.detail)}</bdi>
          </Text>
        )}
      </>
    );
  const { meaning, remedy } = problemTexts(verdict.code, language);
  const own = ownWordsOf(verdict.code, status.detail);
  return (
    <>
      <Text>{meaning}</Text>
      {verdict.code === 'EXPIRED' && endsAt && <Text>{words.ended(format.exact(endsAt))}</Text>}
      {own && (
        <Text component="blockquote" m={0}>
          <bdi>{own}</bdi>
        </Text>
      )}
      <Text c="dimmed">{remedy}</Text>
    </>
  );
};

/** Whether the license works; if not, why, and what to do about it. */
export const LicenseVerdictStrip = ({
  status,
  isLastKnown,
}: StatusProps & {
  readonly isLastKnown: boolean;
}) => {
  const words = useWords(licenseWords);
  const language = useLanguage();
  const can = useCan();
  const verdict = licenseVerdict(status);
  const tone = isLastKnown ? 'idle' : verdict.tone;
  const title =
    verdict.says === 'refused' ? problemTexts(verdict.code, language).title : words.verdicts[verdict.says];
  const isClock =
    verdict.says === 'clock' ||
    verdict.says === 'clock-ahead' ||
    (verdict.says === 'refused' && remedyOf(verdict.code) === 'check-clock');
  const asksForVendor =
    verdict.says === 'refused' && ['renew', 'contact', 'transfer'].includes(remedyOf(verdict.code));
  return (
    <section className={classes.verdict} data-tone={tone} aria-label={words.stateTitle}>
      <Stack gap="xs" className={classes.said ?? ''}>
        <Text fw={600} size="lg" role="status">
          <StateLabel tone={tone} isPlain>
            {title}
          </StateLabel>
        </Text>
        <Reason status={status} />
        {(isClock || clockBehindSeconds(status.clock) !== null) && <Clocks status={status} />}
        {asksForVendor && status.customerAreaUrl && (
          <CustomerAreaLink url={status.customerAreaUrl}>{words.openArea}</CustomerAreaLink>
        )}
      </Stack>
      {can('stack.write') && <CheckNow />}
    </section>
  );
};
