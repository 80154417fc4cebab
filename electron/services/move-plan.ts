import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import { homeOfServiceCommand, isSameWindowsPath } from './service-command.ts';
import { stopOrder } from './service-names.ts';

/** One step between the two ways of running the stack. None of them touches the contents of the data folder. */
export type MoveStep =
  | { readonly kind: 'stop-app' | 'start-app' }
  | { readonly kind: 'create' | 'delete'; readonly component: ComponentName; readonly command: string }
  | { readonly kind: 'start' | 'stop'; readonly component: ComponentName }
  | {
      readonly kind: 'write-envs' | 'remove-envs' | 'grant-rights' | 'revoke-rights';
      /** It was already so before, and stays so when we fail. */
      readonly oneWay?: boolean;
    }
  | { readonly kind: 'await-health' };

const opposites = {
  'stop-app': 'start-app',
  'start-app': 'stop-app',
  create: 'delete',
  delete: 'create',
  start: 'stop',
  stop: 'start',
  'write-envs': 'remove-envs',
  'remove-envs': 'write-envs',
  'grant-rights': 'revoke-rights',
  'revoke-rights': 'grant-rights',
} as const;

/** The step that undoes a step; null where nothing was changed. */
export const undoOf = (step: MoveStep): MoveStep | null => {
  if (step.kind === 'await-health' || ('oneWay' in step && step.oneWay)) return null;
  return { ...step, kind: opposites[step.kind] } as MoveStep;
};

export interface FoundService {
  readonly command: string;
  /** Or is about to. */
  readonly runs: boolean;
}

/** What Windows knows of the three services; null: nothing. */
export type FoundServices = Readonly<Record<ComponentName, FoundService | null>>;

/** Another installation, or another program, has the name; `home` is null for what is no service of Castellan. */
export interface TakenName {
  readonly service: string;
  readonly home: string | null;
}

interface WantedServices {
  readonly home: string;
  readonly command: (component: ComponentName) => string;
  /** Whether there is a stack of ours to stop first, and to start again when this fails. */
  readonly app: boolean;
}

/** @param command what Windows would start for a service; null where there is no such service */
export const takenNames = (
  command: (component: ComponentName) => string | null,
  home: string,
): readonly TakenName[] =>
  componentNames.flatMap((name) => {
    const text = command(name);
    if (text === null) return [];
    const other = homeOfServiceCommand(text);
    const ours = other !== null && isSameWindowsPath(other, home);
    return ours ? [] : [{ service: serviceNames[name], home: other }];
  });

const stopOf = (component: ComponentName, { runs }: FoundService): MoveStep[] =>
  runs ? [{ kind: 'stop', component }] : [];

export type MovePlan =
  | { readonly outcome: 'planned'; readonly steps: readonly MoveStep[] }
  | { readonly outcome: 'taken'; readonly names: readonly TakenName[] };

/** From app mode, or from an installation that broke off half-way, or from one of another version, to services. */
export const planMoveToServices = (found: FoundServices, wanted: WantedServices): MovePlan => {
  const names = takenNames((name) => found[name]?.command ?? null, wanted.home);
  if (names.length > 0) return { outcome: 'taken', names };
  const isCurrent = (component: ComponentName) => found[component]?.command === wanted.command(component);
  const outdated = stopOrder.flatMap((component): MoveStep[] => {
    const service = found[component];
    if (service === null || isCurrent(component)) return [];
    return [...stopOf(component, service), { kind: 'delete', component, command: service.command }];
  });
  const created = componentNames
    .filter((component) => !isCurrent(component))
    .map((component): MoveStep => ({ kind: 'create', component, command: wanted.command(component) }));
  const started = componentNames
    .filter((component) => !(isCurrent(component) && found[component]?.runs))
    .map((component): MoveStep => ({ kind: 'start', component }));
  const oneWay = componentNames.some((component) => found[component] !== null);
  const steps: MoveStep[] = [
    ...(wanted.app ? [{ kind: 'stop-app' } as const] : []),
    ...outdated,
    ...created,
    { kind: 'write-envs', oneWay },
    { kind: 'grant-rights', oneWay },
    ...started,
    { kind: 'await-health' },
  ];
  return { outcome: 'planned', steps };
};

/** Back to app mode, or to no stack at all; for a half-finished installation, whatever is there. */
export const planMoveToApp = (
  found: FoundServices,
  { home, app }: Pick<WantedServices, 'home' | 'app'>,
): MovePlan => {
  const names = takenNames((name) => found[name]?.command ?? null, home);
  if (names.length > 0) return { outcome: 'taken', names };
  const installed = stopOrder.flatMap((component) => {
    const service = found[component];
    return service === null ? [] : [{ component, ...service }];
  });
  const oneWay = installed.length === 0;
  const steps: MoveStep[] = [
    ...installed.flatMap((service) => stopOf(service.component, service)),
    ...installed.map(({ component, command }): MoveStep => ({ kind: 'delete', component, command })),
    { kind: 'revoke-rights', oneWay },
    { kind: 'remove-envs', oneWay },
    ...(app ? [{ kind: 'start-app' } as const] : []),
  ];
  return { outcome: 'planned', steps };
};
