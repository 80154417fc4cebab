import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { chooseStart } from '../setup/choose-start.ts';
import { usualAnswers } from '../setup/questions.ts';
import { containerOf, hostPaths } from './containers.ts';
import { describeGame } from './find-games.ts';
import { managerOf } from './game-manager.ts';
import { listLinuxPrograms } from './linux-programs.ts';

const put = async (root: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
};
const server = { 'server.properties': 'enable-rcon=true\nrcon.password=x\n', 'eula.txt': 'eula=true\n' };
const uuid = '8f1e0c5a-6d2b-4d6e-9a54-0123456789ab';

// Guarantee: a process of a container is known as one, whatever made the container.
test.each([
  [
    '0::/system.slice/docker-0f3c1d2e4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0.scope\n',
    'Docker',
  ],
  ['12:pids:/docker/0f3c1d2e4b5a\n1:name=systemd:/docker/0f3c1d2e4b5a\n', 'Docker'],
  [
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/docker.service/docker-0f3c1d2e4b5a6978.scope\n',
    'Docker',
  ],
  ['0::/machine.slice/libpod-0f3c1d2e4b5a.scope/container\n', 'Podman'],
  ['0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-0f3c.scope/container\n', 'Podman'],
  [
    '0::/kubepods.slice/kubepods-burstable.slice/kubepods-pod1.slice/cri-containerd-0f3c.scope\n',
    'Kubernetes',
  ],
  ['0::/lxc.payload.games/system.slice/minecraft.service\n', 'LXC'],
  ['0::/machine.slice/systemd-nspawn@games.service/payload\n', 'systemd-nspawn'],
  ['0::/system.slice/minecraft.service\n', null],
  ['0::/user.slice/user-1000.slice/session-3.scope\n', null],
  ['0::/\n', null],
  ['', null],
])('%j', (groups, container) => {
  expect(containerOf(groups, '0::/user.slice/user-0.slice/session-1.scope\n')).toBe(container);
  expect(containerOf(groups, groups)).toBeNull();
});

const own = [
  '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
  '30 22 8:16 / /mnt/my\\040disk rw - ext4 /dev/sdb rw',
  '40 22 0:50 / /var/lib/docker/overlay2/aa/merged rw - overlay overlay rw',
].join('\n');
const its = [
  '500 400 0:50 / / rw - overlay overlay rw',
  `510 500 8:1 /var/lib/pterodactyl/volumes/${uuid} /home/container rw - ext4 /dev/sda1 rw`,
  '520 500 8:16 /mc/data /data rw - ext4 /dev/sdb rw',
  '530 500 0:99 / /run rw - tmpfs tmpfs rw',
].join('\n');

// Guarantee: a path inside a container is found on this machine, or nowhere: never another folder with the same name.
test('paths of a container', () => {
  const onHost = hostPaths(its, own);
  expect(onHost('/home/container')).toBe(`/var/lib/pterodactyl/volumes/${uuid}`);
  expect(onHost('/home/container/logs/latest.log')).toBe(
    `/var/lib/pterodactyl/volumes/${uuid}/logs/latest.log`,
  );
  expect(onHost('/data')).toBe('/mnt/my disk/mc/data');
  expect(onHost('/opt/game')).toBe('/var/lib/docker/overlay2/aa/merged/opt/game');
  expect(onHost('/run/game')).toBeNull();
  expect(hostPaths('', own)('/data')).toBeNull();
});

test('a process of a container', async () => {
  await using folder = await temporaryFolder('proc');
  await put(folder.path, {
    'self/cgroup': '0::/user.slice\n',
    'self/mountinfo': own,
    '4711/cgroup': '0::/system.slice/docker-0f3c1d2e4b5a6978.scope\n',
    '4711/mountinfo': its,
    '4711/cmdline': 'java\0-jar\0server.jar\0',
  });
  await symlink('/data', join(folder.path, '4711', 'cwd'));
  await symlink('/opt/java/bin/java', join(folder.path, '4711', 'exe'));
  expect(await listLinuxPrograms(folder.path)).toMatchObject([
    {
      pid: 4711,
      container: 'Docker',
      workingFolder: '/mnt/my disk/mc/data',
      command: ['java', '-jar', 'server.jar'],
      unit: null,
    },
  ]);
});

// Guarantee: a server of another manager is known by its place or by what the manager leaves there, though nothing runs.
test.each<[string, Readonly<Record<string, string>>, string | null, boolean]>([
  [`volumes/${uuid}`, {}, 'Pterodactyl or Pelican', true],
  ['docker/volumes/mc_data/_data', {}, 'Docker', true],
  ['containers/storage/volumes/mc/_data', {}, 'Podman', true],
  ['data', { 'data/.rcon-cli.env': '' }, 'itzg/minecraft-server', true],
  ['data', { 'data/.rcon-cli.yaml': '' }, 'itzg/minecraft-server', true],
  ['instances/Mc01/Minecraft', { 'instances/Mc01/AMPConfig.conf': '' }, 'AMP', false],
  ['daemon/data/InstanceData/73d05ab1c3694c269bb915e8d5f3c76e', {}, 'MCSManager', false],
  [`crafty-4/servers/${uuid}`, {}, 'Crafty Controller', false],
  ['pufferpanel/servers/1a2b3c4d', {}, 'PufferPanel', false],
  ['WindowsGSM/servers/1/serverfiles', {}, 'WindowsGSM', false],
  [
    'mc/data',
    { 'mc/docker-compose.yml': 'services:\n  mc:\n    volumes:\n      - ./data:/data\n' },
    'Docker Compose',
    true,
  ],
  [
    'mc/data',
    { 'mc/compose.yaml': "volumes: \n - type: bind\n   source: './data'\n   target: /data\n" },
    'Docker Compose',
    true,
  ],
  ['mc', { 'mc/compose.yml': 'volumes:\n  - ".:/data"\n' }, 'Docker Compose', true],
  ['mc/data', { 'mc/docker-compose.yml': 'volumes:\n  - $PWD/data:/data\n' }, 'Docker Compose', true],
  ['mc/other', { 'mc/docker-compose.yml': '#  - ./other:/data\n  - ./data:/other\n' }, null, false],
  ['mc/data', { 'mc/docker-compose.yml': '  - ./database:/data\n' }, null, false],
  ['srv/minecraft', {}, null, false],
])('%s', async (place, files, name, isContainer) => {
  await using folder = await temporaryFolder('manager');
  await mkdir(join(folder.path, place), { recursive: true });
  await put(folder.path, files);
  expect(await managerOf(join(folder.path, place), null)).toEqual(
    name === null ? null : { name, isContainer },
  );
});

// Guarantee: no way to start a game is proposed that another manager, or a container around it, would undo.
test('how a managed server is started', async () => {
  await using folder = await temporaryFolder('manager');
  const place = join(folder.path, 'volumes', uuid);
  await put(place, { ...server, 'start.sh': '#!/bin/sh\n' });
  const found = await describeGame('minecraft', place, []);
  expect(found.manager).toEqual({ name: 'Pterodactyl or Pelican', isContainer: true });
  const said: string[] = [];
  const shown: string[] = [];
  const questions = {
    ...usualAnswers((text) => void said.push(text)),
    isAsked: true,
    choose: async (_question: string, options: readonly string[], usual: number) => {
      shown.push(...options);
      return usual;
    },
  };
  expect(await chooseStart(found, null, questions)).toEqual({ by: 'none' });
  expect(shown.join('\n')).not.toContain('start.sh');
  expect(said.join('\n')).toContain('Pterodactyl or Pelican manages this server, in a container.');
});

// Guarantee: a file that wins over the settings is named, and a second settings file that the game does not read.
test('a second file', async () => {
  await using folder = await temporaryFolder('palworld');
  const options = '[/Script/Pal.PalGameWorldSettings]\nOptionSettings=(RESTAPIEnabled=True)\n';
  await put(folder.path, {
    'PalServer.sh': '',
    'Pal/Saved/Config/LinuxServer/PalWorldSettings.ini': options,
    'Pal/Saved/Config/WindowsServer/PalWorldSettings.ini': options,
    'Pal/Saved/SaveGames/0/AAA988BD43F0E0D951687382A8EC7A80/WorldOption.sav': 'PlZ1',
    'Pal/Saved/SaveGames/0/AAA988BD43F0E0D951687382A8EC7A80/Level.sav': '',
  });
  const found = await describeGame('palworld', folder.path, []);
  expect(found.settingsPath).toContain('LinuxServer');
  expect(found.notes).toEqual([
    expect.stringMatching(/WindowsServer.PalWorldSettings\.ini is there too; the game reads .*LinuxServer/),
    expect.stringMatching(/AAA988BD43F0E0D951687382A8EC7A80.WorldOption\.sav: The game takes the settings/),
  ]);
});

test('settings that look right', async () => {
  await using folder = await temporaryFolder('properties');
  await put(folder.path, { ...server, 'server.properties': 'enable-rcon=true \nrcon.password=x\n' });
  const found = await describeGame('minecraft', folder.path, []);
  expect(found.console?.isOn).toBe(false);
  expect(found.notes).toEqual([expect.stringContaining('enable-rcon has more than the word true')]);
});
