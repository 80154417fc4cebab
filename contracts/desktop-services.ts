import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';
import { componentNames } from './stack.ts';

const nothing = z.undefined();
const component = z.enum(componentNames);

/** What is done on the way between app mode and services; pages have words for each. */
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

const takenName = z.object({
  service: z.string(),
  /** Whose it is; null: no service of Castellan has it. */
  home: z.string().nullable(),
});

/** What Windows refused that a person can mend. */
export const serviceFaults = [
  'needs-elevation',
  'depended-upon',
  'disabled',
  'marked-for-deletion',
  'exists',
  'other',
] as const;

/** What came of a change of the services. */
export const servicesResult = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum([
      'done',
      /** The person said no when Windows asked for an administrator's rights. */
      'refused',
      /** Windows did not even ask. */
      'impossible',
      /** Another change is under way. */
      'busy',
    ]),
  }),
  z.object({ outcome: z.literal('taken'), names: z.array(takenName) }),
  /** A step failed, and those before it were undone, but for what is `left`. */
  z.object({
    outcome: z.literal('undone'),
    step: serviceStep,
    fault: z.enum(serviceFaults),
    detail: z.string(),
    left: z.array(z.object({ step: serviceStep, detail: z.string() })),
  }),
  z.object({ outcome: z.literal('failed'), fault: z.enum(serviceFaults), detail: z.string() }),
]);
export type ServicesResult = z.infer<typeof servicesResult>;

export const servicesActions = ['install', 'uninstall', 'start', 'stop', 'restart', 'access'] as const;
export type ServicesAction = (typeof servicesActions)[number];

/** Kept by the desktop, so that a page that is loaded anew knows it, too. */
export const servicesProgress = z.object({
  /** Under way now. */
  work: z.object({ act: z.enum(servicesActions), step: serviceStep }).nullable(),
  /** What came of the last one. */
  last: z.object({ act: z.enum(servicesActions), result: servicesResult }).nullable(),
  /**
   * How the desktop comes in at the API. `own`: it runs the stack itself. `kept`: by a key of the services. `for-now`:
   * likewise, until it ends, since Windows keeps no secret for it. `missing`, `refused`: an administrator has to let it in.
   */
  access: z.enum(['own', 'kept', 'for-now', 'missing', 'refused']),
});
export type ServicesProgress = z.infer<typeof servicesProgress>;

const servicesStatus = servicesProgress.extend({
  mode: z.enum(['app', 'services']),
  /** Why there can be none here; null when nothing is known to stand in the way. */
  obstacle: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('not-windows') }),
      z.object({ kind: z.enum(['not-per-machine', 'unfit-home', 'unreadable']), detail: z.string() }),
      z.object({ kind: z.literal('taken'), names: z.array(takenName) }),
    ])
    .nullable(),
  /** As Windows says; null: this home has none. */
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

/** The stack as Windows Services, from the desktop; each change asks for an administrator's rights first. */
export const servicesCalls = {
  'services.status': call(nothing, servicesStatus),
  'services.install': call(nothing, servicesResult),
  'services.uninstall': call(nothing, servicesResult),
  'services.start': call(nothing, servicesResult),
  'services.stop': call(nothing, servicesResult),
  'services.restart': call(nothing, servicesResult),
  /** Lets this user's desktop in at the API of the services. */
  'services.access': call(nothing, servicesResult),
} as const;
