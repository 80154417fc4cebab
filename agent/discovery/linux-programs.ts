import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accountName } from '#runtime/account-name.ts';
import { containerOf, hostPaths } from './containers.ts';
import type { RunningProgram } from './running-program.ts';

/** Processes of other accounts show their command but no folder, unless root looks. Paths inside a container become this machine's. */
export const listLinuxPrograms = async (root = '/proc'): Promise<RunningProgram[]> => {
  const pids = (await readdir(root)).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const own = {
    groups: await textOf(root, 'self', 'cgroup'),
    mounts: await textOf(root, 'self', 'mountinfo'),
  };
  const seen = await Promise.all(pids.map((pid) => look(root, pid, own)));
  return seen.filter((program) => program !== null);
};

const textOf = (root: string, pid: string, name: string): Promise<string> =>
  readFile(join(root, pid, name), 'utf8').catch(() => '');

const look = async (
  root: string,
  pid: string,
  own: { readonly groups: string; readonly mounts: string },
): Promise<RunningProgram | null> => {
  const folder = join(root, pid);
  const text = (name: string) => textOf(root, pid, name);
  const link = (name: string) =>
    readlink(join(folder, name)).then(
      (path) => path.replace(/ \(deleted\)$/, ''),
      () => null,
    );
  const line = await text('cmdline');
  // Kernel threads, and ended processes.
  if (line === '') return null;
  const uid = await stat(folder).then(
    (found) => found.uid,
    () => null,
  );
  const groups = await text('cgroup');
  const container = containerOf(groups, own.groups);
  const onHost = container === null ? null : hostPaths(await text('mountinfo'), own.mounts);
  const pathOf = async (name: string) => {
    const path = await link(name);
    return path === null || onHost === null ? path : onHost(path);
  };
  return {
    pid: Number(pid),
    executable: await pathOf('exe'),
    command: line.replace(/\0$/, '').split('\0'),
    workingFolder: await pathOf('cwd'),
    uid,
    account: uid === null ? null : await accountName(uid),
    unit: unitOf(groups),
    container,
    services: [],
    listeningPorts: () => listeningPorts(root, pid),
  };
};

/** These start any program on request; none of them belongs to the game. */
const hosts =
  /^(?:ssh|sshd|cron|crond|atd|docker|containerd|podman|snap\.docker\..*|k3s.*|kubelet|lxd|incus|wings|pelican.*|amp.*|mcsm.*|crafty.*|pufferpanel.*|getty|console-getty|castellan-agent|systemd-.*|dbus)(?:@.*)?\.service$/;

/** From the text of /proc/<pid>/cgroup; null for sessions, containers and the services of a signed-in user. */
export const unitOf = (groups: string): string | null => {
  const unit = /^(?:0:|\d+:name=systemd):\/system\.slice\/(?:[^/\n]+\.slice\/)*([^/\n]+\.service)/m.exec(
    groups,
  )?.[1];
  return unit === undefined || hosts.test(unit) ? null : unit;
};

const listening = '0A';

/** Determined from the sockets that the process holds; empty when they are not visible. */
const listeningPorts = async (root: string, pid: string): Promise<number[]> => {
  const folder = join(root, pid, 'fd');
  const names = await readdir(folder).catch(() => []);
  const held = new Set(await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => ''))));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(join(root, 'net', name), 'utf8').catch(() => '')),
  );
  const ports = tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === listening && held.has(`socket:[${fields[9]}]`))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
  return [...new Set(ports)].sort((a, b) => a - b);
};
