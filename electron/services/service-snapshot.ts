import type { LicenseState } from '#contracts/license/license-state.ts';
import type { ComponentState } from '#contracts/operations/stack.ts';
import type { ServiceState } from '#runtime/windows/service-state.ts';
import type { Health } from '../supervisor/component.ts';

/** What one look at a service found. */
export interface ServiceObservation {
  /** Null: Windows could not be asked. */
  readonly service: ServiceState | null;
  /** What the process says of itself; null when it does not answer. */
  readonly answer: Health | null;
  /** Why the component inside a running service was not started the last time; null when it was, or when it answers. */
  readonly refusal: string | null;
  /** Whether any of the other two is not stopped. */
  readonly othersRun: boolean;
}

/** The state of a component that runs as a service, which others start and stop. */
export interface ServiceSnapshot {
  readonly state: ComponentState;
  readonly reason: string | null;
  readonly condition: Health['condition'] | null;
  readonly license: LicenseState | null;
  /** What Windows said last, and since when. */
  readonly service: ServiceState;
  readonly serviceSinceMs: number;
  /** The time of the last answer; null: none since Windows says that it runs. */
  readonly answeredAtMs: number | null;
}

export const initialSnapshot: ServiceSnapshot = {
  state: 'stopped',
  reason: null,
  condition: null,
  license: null,
  service: 'stopped',
  serviceSinceMs: 0,
  answeredAtMs: null,
};

/** Windows starts the services one after another, and restarts a host that has died. */
const standstillMs = 30_000;
/** As long as a first start may take, which creates the database. */
const firstAnswerMs = 180_000;
/** Three missed answers. */
const silenceMs = 20_000;

/** What is known of a component after another look. Windows says that a process exists; only its answer says that it works. */
export const nextSnapshot = (
  before: ServiceSnapshot,
  { service: told, answer, refusal, othersRun }: ServiceObservation,
  nowMs: number,
): ServiceSnapshot => {
  const service = told ?? before.service;
  const changed = service !== before.service || before === initialSnapshot;
  const serviceSinceMs = changed ? nowMs : before.serviceSinceMs;
  // What was refused since does not live from an earlier answer.
  const lasts = service === 'running' && !changed && refusal === null;
  const answeredAtMs = answer ? nowMs : lasts ? before.answeredAtMs : null;
  const now = { service, serviceSinceMs, answeredAtMs };
  const plain = (state: ComponentState, reason: string | null = null): ServiceSnapshot => ({
    ...now,
    state,
    reason,
    condition: null,
    license: null,
  });
  if (service === 'absent') return plain('failed', 'the service is not installed');
  if (service === 'paused') return plain('unhealthy', 'the service is paused');
  if (service === 'starting' || service === 'stopping') return plain(service);
  if (service === 'stopped')
    return othersRun && nowMs - serviceSinceMs > standstillMs
      ? plain('failed', 'the service is stopped')
      : plain('stopped');
  if (answer) {
    const { condition, detail, license = null } = answer;
    return {
      ...now,
      state: condition === 'down' ? 'unhealthy' : 'running',
      reason: condition === 'ok' && !license ? null : detail,
      condition,
      license,
    };
  }
  if (answeredAtMs === null)
    return nowMs - serviceSinceMs > firstAnswerMs
      ? plain('unhealthy', refusal ?? 'does not answer')
      : plain('starting', refusal);
  if (nowMs - answeredAtMs > silenceMs) return { ...plain('unhealthy', 'does not answer'), answeredAtMs };
  return { ...before, ...now };
};
