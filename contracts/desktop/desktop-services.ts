import * as z from 'zod';
import { windowsAnswer } from '../kernel/windows-codes/windows-answer.ts';
import { componentNames } from '../operations/stack.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();
const component = z.enum(componentNames);

/** A step of switching between app mode and services; pages have a text for each. */
export const serviceStep = z.object({
  kind: z.enum([
    'ask',
    'stop-app',
    'start-app',
    'create',
    'delete',
    'start',
    'stop',
    'write-envs',
    'remove-envs',
    'grant-rights',
    'revoke-rights',
    'await-health',
    'make-access',
  ]),
  component: component.nullable(),
});
export type ServiceStep = z.infer<typeof serviceStep>;

/** What Windows answered; missing where it was not Windows that refused. */
const answer = windowsAnswer.optional();

const takenName = z.object({
  service: z.string(),
  /** The data folder of the service with this name; null: it is no service of Castellan. */
  home: z.string().nullable(),
});

/** Errors of Windows that a person can fix. */
const serviceFaults = [
  'needs-elevation',
  'depended-upon',
  'disabled',
  'marked-for-deletion',
  'exists',
  'other',
] as const;

/** The result of a change of the services. */
export const servicesResult = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum([
      'done',
      /** The person declined when Windows asked for administrator rights. */
      'refused',
      /** Windows could not even ask. */
      'impossible',
      /** Another change is in progress. */
      'busy',
    ]),
  }),
  z.object({ outcome: z.literal('taken'), names: z.array(takenName) }),
  /** A step failed, and the earlier ones were undone, except for those in `left`. */
  z.object({
    outcome: z.literal('undone'),
    step: serviceStep,
    fault: z.enum(serviceFaults),
    detail: z.string(),
    answer,
    left: z.array(z.object({ step: serviceStep, detail: z.string() })),
  }),
  z.object({ outcome: z.literal('failed'), fault: z.enum(serviceFaults), detail: z.string(), answer }),
]);
export type ServicesResult = z.infer<typeof servicesResult>;

export const servicesActions = ['install', 'uninstall', 'start', 'stop', 'restart', 'access'] as const;
export type ServicesAction = (typeof servicesActions)[number];

/** Kept by the desktop, so that a reloaded page knows it, too. */
export const servicesProgress = z.object({
  /** In progress now. */
  work: z.object({ act: z.enum(servicesActions), step: serviceStep }).nullable(),
  /** The result of the last change. */
  last: z.object({ act: z.enum(servicesActions), result: servicesResult }).nullable(),
  /**
   * How the desktop gets access to the API. `own`: it runs the stack itself. `kept`: with a key from the services.
   * `for-now`: likewise, but only until it ends, since Windows stores no secret for it. `missing`, `refused`: an
   * administrator has to let it in.
   */
  access: z.enum(['own', 'kept', 'for-now', 'missing', 'refused']),
});
export type ServicesProgress = z.infer<typeof servicesProgress>;

const servicesStatus = servicesProgress.extend({
  mode: z.enum(['app', 'services']),
  /** Why services are impossible here; null if nothing is known to prevent them. */
  obstacle: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('not-windows') }),
      z.object({ kind: z.enum(['not-per-machine', 'unfit-home', 'unreadable']), detail: z.string() }),
      z.object({ kind: z.literal('taken'), names: z.array(takenName) }),
    ])
    .nullable(),
  /** As Windows reports them; null: this data folder has none. */
  services: z
    .array(
      z.object({
        component,
        service: z.string(),
        state: z.enum(['absent', 'stopped', 'starting', 'stopping', 'running', 'paused']),
      }),
    )
    .nullable(),
});
export type ServicesStatus = z.infer<typeof servicesStatus>;

/** The stack as Windows Services, controlled from the desktop; each change asks for administrator rights first. */
export const servicesCalls = {
  'services.status': call(nothing, servicesStatus),
  'services.install': call(nothing, servicesResult),
  'services.uninstall': call(nothing, servicesResult),
  'services.start': call(nothing, servicesResult),
  'services.stop': call(nothing, servicesResult),
  'services.restart': call(nothing, servicesResult),
  /** Gives this user's desktop access to the API of the services. */
  'services.access': call(nothing, servicesResult),
} as const;
