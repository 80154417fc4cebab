import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { demoLicenseTier, type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { useAccess } from '../kit/access/access-state.ts';
import { hurryLive, useIsLiveFull, useIsOtherVersion, useLiveState } from '../kit/api/live.ts';
import { useRead } from '../kit/api/queries.ts';
import { onUnsent } from '../kit/api/send-change.ts';
import { serverNowMs, useClockBehindMs } from '../kit/api/server-clock.ts';
import { designWords } from '../kit/design/design.words.ts';
import { notifyLeft, withdrawNotice } from '../kit/design/notify.ts';
import { PanelLink } from '../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../kit/design/state-label.tsx';
import { useFormat } from '../kit/language/use-format.ts';
import { useWords } from '../kit/language/use-words.ts';
import classes from './notice.module.css';
import { shellWords } from './shell.words.ts';
import { useIsChunkGone } from './shell-state.ts';

/** In the grace period the end may move with each check. */
const graceEveryMs = 60_000;

/** The license under which the API works now, read again whenever the health reports another state; otherwise undefined. */
const useLicenseInUse = (health: StackHealth | undefined): LicenseStatus | undefined => {
  const state = health?.license;
  const isLicensed = state === 'valid' || state === 'grace';
  const { data, refetch } = useRead(
    licenseStateHttp.status,
    {},
    { enabled: isLicensed, ...(state === 'grace' ? { everyMs: graceEveryMs } : {}) },
  );
  useEffect(() => {
    if (state === 'valid' || state === 'grace') void refetch({ cancelRefetch: false });
  }, [state, refetch]);
  return isLicensed && data?.state === state ? data : undefined;
};

/** Since when a condition holds, once it has held for `afterMs`, so that a short moment alarms no one; otherwise null. */
const useHeldSince = (holds: boolean, afterMs: number): string | null => {
  const [since, setSince] = useState<string | null>(null);
  useEffect(() => {
    setSince(null);
    if (!holds) return;
    const startedAt = new Date(serverNowMs()).toISOString();
    const timer = setTimeout(() => setSince(startedAt), afterMs);
    return () => clearTimeout(timer);
  }, [holds, afterMs]);
  return holds ? since : null;
};

/** A message about the whole panel, shown above every page until it is over. */
const Notice = ({
  tone,
  children,
  action,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** An action to solve it. */
  readonly action?: ReactNode;
}) => (
  <div className={classes.notice} data-tone={tone}>
    <StateLabel tone={tone} isPlain>
      {children}
    </StateLabel>
    {action}
  </div>
);

/** A reconnection within this time is not worth a message. */
const alarmAfterMs = 1500;
/** Below this, a device's clock counts as right. */
const clockOffMs = 60_000;

const unsentNotice = 'not-saved-yet';

/** While a change waits for the API, above every page and dialog: the form that sent it may be gone. */
const useUnsentNotice = (): void => {
  const { notSavedYet, notSavedYetText } = useWords(shellWords);
  useEffect(
    () =>
      onUnsent((isAny) => {
        if (isAny) notifyLeft(unsentNotice, notSavedYet, notSavedYetText);
        else void withdrawNotice(unsentNotice);
      }),
    [notSavedYet, notSavedYetText],
  );
};

/** The current messages about the whole panel. */
export const Notices = ({ health }: { readonly health: StackHealth | undefined }) => {
  const words = useWords(shellWords);
  useUnsentNotice();
  const general = useWords(designWords);
  const format = useFormat();
  const isSignedIn = useAccess().state === 'signed-in';
  const awaySince = useHeldSince(useLiveState() === 'away' && isSignedIn, alarmAfterMs);
  const isFull = useIsLiveFull();
  const isOtherVersion = useIsOtherVersion();
  const isChunkGone = useIsChunkGone();
  const behindMs = useClockBehindMs();
  const license = useLicenseInUse(health);
  const isDemo = license?.tier === demoLicenseTier;
  const graceEndsAt = license?.state === 'grace' ? license.graceEndsAt : null;
  const graceSeconds = graceEndsAt ? (Date.parse(graceEndsAt) - serverNowMs()) / 1000 : null;
  return (
    <div role="status">
      {awaySince !== null && (
        <Notice
          tone="bad"
          action={
            <Button size="compact-sm" variant="default" onClick={hurryLive}>
              {words.tryNow}
            </Button>
          }
        >
          {isFull ? words.tooManyTabs : words.away(format.time(awaySince))}
        </Notice>
      )}
      {(isOtherVersion || isChunkGone) && (
        <Notice
          tone="warn"
          action={
            <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
              {general.reload}
            </Button>
          }
        >
          {isOtherVersion ? words.otherVersion : general.pieceGone}
        </Notice>
      )}
      {graceSeconds !== null && (
        <Notice tone="warn" action={<PanelLink to="/license">{words.toLicense}</PanelLink>}>
          {words.grace(format.duration(graceSeconds))}
        </Notice>
      )}
      {isDemo && (
        <Notice tone="idle" action={<PanelLink to="/license">{words.toLicense}</PanelLink>}>
          {words.demo}
        </Notice>
      )}
      {Math.abs(behindMs) > clockOffMs && (
        <Notice tone="warn">{words.clock(format.duration(Math.abs(behindMs) / 1000))}</Notice>
      )}
    </div>
  );
};
