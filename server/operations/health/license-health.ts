import { type LicenseStatus, licenseEndsSoonMs } from '#contracts/license/license-state.ts';
import type { ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';

type Ends = Pick<LicenseStatus, 'state' | 'graceEndsAt' | 'endsAt'>;

/** Until the license ends or, in the grace period, until that ends; null if neither has an end. */
export const licenseRemainingMs = ({ state, graceEndsAt, endsAt }: Ends, nowMs: number): number | null => {
  const ends = [endsAt, state === 'grace' ? graceEndsAt : null].flatMap((end) =>
    end == null ? [] : [Date.parse(end)],
  );
  return ends.length === 0 ? null : Math.max(0, Math.min(...ends) - nowMs);
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** In the grace period everything works still, but not for long. */
export const licenseHealthOf = (
  status: Ends & Pick<LicenseStatus, 'detail'>,
  nowMs: number,
): ComponentHealth => {
  const { state, detail, graceEndsAt, endsAt } = status;
  if (state === 'unlicensed' || state === 'rejected') return { status: 'down', detail };
  const words: string[] = [];
  if (state === 'grace') {
    words.push(healthReasons['license-unconfirmed']);
    const leftMs = graceEndsAt === null ? null : Math.max(0, Date.parse(graceEndsAt) - nowMs);
    if (leftMs !== null)
      words.push(
        leftMs < 2 * dayMs
          ? healthReasons['license-grace-hours'](Math.floor(leftMs / hourMs))
          : healthReasons['license-grace-days'](Math.floor(leftMs / dayMs)),
      );
  }
  const endsInMs = endsAt == null ? null : Math.max(0, Date.parse(endsAt) - nowMs);
  if (endsInMs !== null && endsInMs <= licenseEndsSoonMs)
    words.push(healthReasons['license-ends-hours'](Math.floor(endsInMs / hourMs)));
  return words.length === 0
    ? { status: 'ok', detail: null }
    : { status: 'degraded', detail: words.join(' ') };
};
