import { Button } from '@mantine/core';
import type { StackHealth } from '#contracts/health.ts';
import { demoLicenseTier } from '#contracts/license-state.ts';
import { useAccess } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { PanelLink } from '../design/panel-link.tsx';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { hurryLive, useIsLiveFull, useIsOtherVersion, useLiveState } from '../wire/live.ts';
import { serverNowMs, useClockBehindMs } from '../wire/server-clock.ts';
import { Notice } from './notice.tsx';
import { shellWords } from './shell.words.ts';
import { useIsChunkGone } from './shell-state.ts';
import { useHeldSince } from './use-held-since.ts';
import { useLicenseInUse } from './use-license-in-use.ts';

/** A reconnection within this time is not worth a message. */
const alarmAfterMs = 1500;
/** Below this, a device's clock counts as right. */
const clockOffMs = 60_000;

export interface NoticesProps {
  readonly health: StackHealth | undefined;
}

/** The current messages about the whole panel. */
export const Notices = ({ health }: NoticesProps) => {
  const words = useWords(shellWords);
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
