import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';

const cluster = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    createdAt: z.iso.datetime(),
    /** Null while it is in use. */
    archivedAt: z.iso.datetime().nullable(),
    /** Incremented by every change. */
    version: z.int(),
  })
  .meta({ id: 'Cluster' });
export type Cluster = z.infer<typeof cluster>;

export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'must have something to see');

/** An id from a path, query or body; an unknown one matches nothing. */
export const recordId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters');

const description = z
  .string()
  .trim()
  .max(500)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'must have no control characters');

const newCluster = z.strictObject({ name: displayName, description: description.default('') });
export type NewCluster = z.output<typeof newCluster>;

const clusterChange = z.strictObject({
  /** The version that the change is based on. */
  version: rowVersion,
  name: displayName.optional(),
  description: description.optional(),
});
export type ClusterChange = z.output<typeof clusterChange>;

const ofCluster = z.object({ id: recordId });

/** A cluster belongs to no single server, so changing it needs `servers.write` everywhere. */
export const clustersHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/clusters',
    summary: 'List clusters, by name; includes archived ones on request',
    access: 'servers.read',
    query: z.object({ archived: z.enum(['true', 'false']).default('false') }),
    response: z.object({
      rows: z.array(cluster),
      /** How many clusters the license allows in use at once; null: any number. */
      maxClusters: z.int().nullable(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/clusters',
    summary: 'Create a cluster',
    access: 'servers.write',
    body: newCluster,
    response: cluster,
    problems: [...changeProblems, 'NAME_TAKEN', 'CLUSTER_LIMIT'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/clusters/:id',
    summary: "Change a cluster's name or description",
    access: 'servers.write',
    params: ofCluster,
    body: clusterChange,
    response: cluster,
    problems: [...changeProblems, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT', 'SERVER_ARCHIVED'],
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/clusters/:id/archive',
    summary: 'Archive an empty cluster; its history stays readable',
    access: 'servers.write',
    params: ofCluster,
    response: cluster,
    problems: [...changeProblems, 'NOT_FOUND', 'CLUSTER_NOT_EMPTY'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/clusters/:id/restoration',
    summary: 'Restore an archived cluster',
    access: 'servers.write',
    params: ofCluster,
    response: cluster,
    problems: [...changeProblems, 'NOT_FOUND', 'NAME_TAKEN', 'CLUSTER_LIMIT'],
  }),
} as const;
