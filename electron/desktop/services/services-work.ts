import type { ServicesAction, ServicesProgress, ServicesResult } from '#contracts/desktop-services.ts';
import type { ComponentName } from '#contracts/stack.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import type { RunElevated } from '../../elevation/run-elevated.ts';
import type { AppAction } from '../../services/desktop-wire.ts';
import { workElevated } from '../../services/work-elevated.ts';

export interface ServicesWorkOptions {
  readonly home: string;
  readonly programsFolder: string;
  readonly node: string;
  /** The account of the operating system that the desktop runs under. */
  readonly user: string;
  readonly runElevated: RunElevated;
  /** Why this installation must not be run with an administrator's rights; null when nothing speaks against it. */
  readonly fault: () => string | null;
  readonly log: () => Log;
  readonly onAccess: (key: Secret) => Promise<void>;
  readonly perform: (act: AppAction) => Promise<void>;
  /** After each change, whatever came of it; nothing else begins meanwhile. */
  readonly settle: () => Promise<void>;
  readonly onProgress: () => void;
}

/** The changes of the services, one at a time; what stands is kept for pages that are loaded anew. */
export interface ServicesWork {
  readonly standing: () => Pick<ServicesProgress, 'work' | 'last'>;
  run(act: ServicesAction, component?: ComponentName): Promise<ServicesResult>;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

export const createServicesWork = (options: ServicesWorkOptions): ServicesWork => {
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
        log().info({ act, ...step }, 'a step of a change of the services');
        show({ ...standing, work: { act, step } });
      },
    }).catch((error: Error): ServicesResult => {
      log().error({ err: error, act }, 'a change of the services failed');
      return { outcome: 'failed', fault: 'other', detail: error.message };
    });
    await options.settle().catch((error: Error) => {
      log().error({ err: error, act }, 'the stack could not be taken up after a change of the services');
    });
    log()[result.outcome === 'done' ? 'info' : 'warn']({ act, result }, 'a change of the services is over');
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

/** An order to the services that came to nothing, in words for those who gave it outside of the page for it. */
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
      return "An administrator's rights were refused; nothing was changed.";
    case 'impossible':
      return "Windows does not let this account ask for an administrator's rights.";
    case 'busy':
      return 'Another change of the services is under way.';
    case 'undone':
    case 'failed':
      return result.detail;
    default:
      return 'The services are not this installation’s.';
  }
};
