/** What one delivery of something lasting adds to it. */
export interface Grant {
  readonly deliveryId: string;
  readonly givenAt: Date;
  readonly seconds: number;
  /** False: it lasts from when it was given, however long the others do. */
  readonly extends: boolean;
}

/**
 * When something lasting ends; null without a grant. A grant adds its time at the later of its delivery and the end so
 * far. The caller leaves out revoked grants, so that the order of refunds makes no difference.
 */
export const foldGrants = (grants: readonly Grant[]): Date | null => {
  const inOrder = [...grants].sort(
    (one, other) =>
      one.givenAt.getTime() - other.givenAt.getTime() || (one.deliveryId < other.deliveryId ? -1 : 1),
  );
  let endMs: number | null = null;
  for (const { givenAt, seconds, extends: adds } of inOrder) {
    const givenMs = givenAt.getTime();
    const lastsMs = seconds * 1000;
    endMs = adds
      ? Math.max(givenMs, endMs ?? givenMs) + lastsMs
      : Math.max(givenMs + lastsMs, endMs ?? givenMs);
  }
  return endMs === null ? null : new Date(Math.min(endMs, latestMs));
};

/** A date that both JavaScript and Postgres can hold. */
const latestMs = Date.UTC(9999, 0, 1);
