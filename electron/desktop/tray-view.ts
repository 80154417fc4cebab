import type { LicenseState } from '#contracts/license/license-state.ts';
import { type ComponentName, componentNames, type StackStatus } from '#contracts/operations/stack.ts';
import { isStopped } from '../supervisor/stack-state.ts';
import type { DesktopWords } from './desktop-words.ts';

/** What the icon's badge says by its shape; there is none when all is well. */
export const trayLooks = ['well', 'busy', 'warning', 'bad', 'stopped'] as const;
export type TrayLook = (typeof trayLooks)[number];

export type TrayAction =
  | { readonly act: 'open' | 'start' | 'stop' | 'restart' | 'logs' | 'check-updates' | 'autostart' | 'quit' }
  | { readonly act: 'restart-one'; readonly component: ComponentName };

interface TrayItem {
  readonly label: string;
  readonly does: TrayAction;
  readonly isEnabled: boolean;
  /** Null: the item cannot be on or off. */
  readonly isOn: boolean | null;
}

export interface TrayView {
  readonly look: TrayLook;
  readonly tooltip: string;
  /** Groups, separated by lines. */
  readonly menu: readonly (readonly TrayItem[])[];
}

const lookOf = ({ status: { state }, license, waiting }: TrayFacts): TrayLook => {
  if (state !== 'running') return lookBy[state];
  return license === 'grace' || (waiting ?? 0) > 0 ? 'warning' : 'well';
};

const lookBy = {
  degraded: 'warning',
  starting: 'busy',
  stopping: 'busy',
  stopped: 'stopped',
  unlicensed: 'bad',
  failed: 'bad',
} as const satisfies Record<Exclude<StackStatus['state'], 'running'>, TrayLook>;

/** The first reason that a component gives, with its name. */
const reasonOf = ({ components }: StackStatus): string | null => {
  const told = components.find(({ state, reason }) => state !== 'running' && reason !== null);
  return told ? `${told.name}: ${told.reason}` : null;
};

/** Windows cuts longer ones. */
const longestTooltip = 127;

export interface TrayFacts {
  readonly status: StackStatus;
  readonly license: LicenseState | null;
  /** How many things wait for a person; null: not known. */
  readonly waiting: number | null;
  readonly isAutostarted: boolean;
  /** It was asked to quit, and waits for the stack to end. */
  readonly isLeaving: boolean;
  /** Windows runs the stack, and keeps it running when the desktop is gone. */
  readonly isServices: boolean;
}

/** The content of the tray, derived only from known facts. */
export const trayView = (facts: TrayFacts, words: DesktopWords): TrayView => {
  const { status, license, waiting, isAutostarted, isLeaving, isServices } = facts;
  const look = lookOf(facts);
  const isRunning = status.state === 'running';
  const why = isRunning && license === 'grace' ? (words.license.grace ?? null) : reasonOf(status);
  // What else is wrong does not make it wait less.
  const needs =
    (isRunning || status.state === 'degraded') && waiting !== null && waiting > 0
      ? words.waiting(waiting)
      : null;
  const runs = !isStopped(status.state);
  const item = (
    label: string,
    does: TrayAction,
    isEnabled = true,
    isOn: boolean | null = null,
  ): TrayItem => ({
    label,
    does,
    isEnabled: isEnabled && !isLeaving,
    isOn,
  });
  return {
    look,
    tooltip: [
      isLeaving && !isServices ? words.stopping : `Castellan: ${words.state[status.state]}`,
      why,
      needs,
    ]
      .filter((line) => line !== null)
      .join('\n')
      .slice(0, longestTooltip),
    menu: [
      [item(words.open, { act: 'open' })],
      [
        item(words.start, { act: 'start' }, status.state === 'stopped'),
        item(words.stop, { act: 'stop' }, runs),
        item(words.restart, { act: 'restart' }, runs),
        ...componentNames.map((component) =>
          item(words.restartOne(component), { act: 'restart-one', component }, runs),
        ),
      ],
      [
        item(words.logs, { act: 'logs' }),
        item(words.checkForUpdates, { act: 'check-updates' }),
        item(words.autostart, { act: 'autostart' }, true, isAutostarted),
        item(isServices ? words.quitServices : words.quit, { act: 'quit' }),
      ],
    ],
  };
};
