import type {
  ServicesAction,
  ServicesProgress,
  ServicesResult,
} from '#contracts/desktop/desktop-services.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import type { RunElevated } from '../../elevation/run-elevated.ts';
import type { AppAction } from '../../services/desktop-wire.ts';
import { workElevated } from '../../services/work-elevated.ts';

/** Changes the services, one change at a time; keeps its state for pages that are loaded again. */
interface ServicesWork {
  readonly standing: () => Pick<ServicesProgress, 'work' | 'last'>;
  run(act: ServicesAction, component?: ComponentName): Promise<ServicesResult>;
  /** Resolves when no change is running. */
  idle(): Promise<void>;
}

export const createServicesWork = (options: {
  readonly home: string;
  /** The account of the operating system that the desktop runs under. */
  readonly user: string;
  readonly runElevated: RunElevated;
  /** Why this installation must not run with an administrator's rights; null when it may. */
  readonly fault: () => string | null;
  readonly log: () => Log;
  readonly onAccess: (key: Secret) => Promise<void>;
  readonly perform: (act: AppAction) => Promise<void>;
  /** Called after each change, whatever its result; nothing else begins while it runs. */
  readonly settle: () => Promise<void>;
  readonly onProgress: () => void;
}): ServicesWork => {
  const { log, onProgress } = options;
  let standing: Pick<ServicesProgress, 'work' | 'last'> = { work: null, last: null };
  let running: Promise<unknown> = Promise.resolve();
  const show = (now: typeof standing) => {
    standing = now;
    onProgress();
  };

  const carryOut = async (act: ServicesAction, component?: ComponentName): Promise<ServicesResult> => {
    const result = await workElevated({
      ...options,
      act,
      component,
      onStep(step) {
        log().info({ act, ...step }, 'services change: next step');
        show({ ...standing, work: { act, step } });
      },
    }).catch((error: Error): ServicesResult => {
      log().error({ err: error, act }, 'services change failed');
      return { outcome: 'failed', fault: 'other', detail: error.message };
    });
    await options.settle().catch((error: Error) => {
      log().error({ err: error, act }, 'could not resume the stack after a services change');
    });
    log()[result.outcome === 'done' ? 'info' : 'warn']({ act, result }, 'services change finished');
    return result;
  };

  return {
    standing: () => standing,
    async run(act, component) {
      if (standing.work) return { outcome: 'busy' };
      const detail = options.fault();
      if (detail !== null) return { outcome: 'failed', fault: 'other', detail };
      show({ work: { act, step: { kind: 'ask', component: null } }, last: null });
      const working = carryOut(act, component);
      running = working;
      const result = await working;
      show({ work: null, last: { act, result } });
      return result;
    },
    async idle() {
      await running;
    },
  };
};

/** A failed order to the services, in words for callers outside the services page. */
export class ServicesOrderError extends StartupError {
  readonly result: ServicesResult;

  constructor(result: ServicesResult) {
    super(wordsOf(result));
    this.result = result;
  }
}

const wordsOf = (result: ServicesResult): string => {
  switch (result.outcome) {
    case 'refused':
      return 'Permission from an administrator was refused. Nothing was changed.';
    case 'impossible':
      return 'Windows does not let this account ask an administrator for permission.';
    case 'busy':
      return 'Another change of the services is in progress.';
    case 'undone':
    case 'failed':
      return result.detail;
    default:
      return 'The services belong to another installation.';
  }
};
