import * as z from 'zod';

/** How important an event is, rising. `alert`: needs a person now. */
export const severities = ['info', 'notice', 'warning', 'alert'] as const;
export type Severity = (typeof severities)[number];

/** An event, separate from the registered kinds, which readers of rows need not know. */
export const eventRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** One of the registered kinds, or a kind of another version of Castellan. */
    kind: z.string(),
    severity: z.enum(severities),
    /** The game server that it happened to, or null. */
    serverId: z.string().nullable(),
    /** In the shape that its kind declares. */
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventRow' });
export type EventRow = z.infer<typeof eventRow>;
