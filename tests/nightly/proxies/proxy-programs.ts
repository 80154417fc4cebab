import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import type { Certificate } from './certificate.ts';

const page = resolve(import.meta.dirname, '../../../docs/operations/reverse-proxies.md');

/** The configuration that the page shows people, with this test's ports and files. */
const documented = async (language: string): Promise<string> => {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(await readFile(page, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${page} shows nothing in ${language}`);
  return block;
};

interface Where {
  readonly folder: string;
  readonly port: number;
  readonly apiPort: number;
}

const filled = (text: string, { folder, port, apiPort }: Where): string =>
  text
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${apiPort}`)
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('*:443', `127.0.0.1:${port}`);

const nginx = (servers: string) => (where: Where) =>
  `
  daemon off;
  user root;
  worker_processes 1;
  pid ${where.folder}/nginx.pid;
  error_log stderr;
  events {}
  http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${where.folder}/${kind};`).join('\n')}
    ${filled(servers, where)}
  }`;

const nginxAsInstalled = `
  server {
    listen 443 ssl;
    server_name panel.example.com;
    ssl_certificate /etc/ssl/panel.crt;
    ssl_certificate_key /etc/ssl/panel.key;
    location / { proxy_pass http://127.0.0.1:3000; }
  }`;

const apacheModules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'proxy_wstunnel', 'ssl', 'headers'];

interface Program {
  readonly command: (file: string) => readonly [string, ...string[]];
  readonly configuration: (where: Where) => Promise<string>;
}

const programs = {
  'nginx as installed': {
    command: (file) => ['nginx', '-c', file],
    configuration: async (where) => nginx(nginxAsInstalled)(where),
  },
  nginx: {
    command: (file) => ['nginx', '-c', file],
    configuration: async (where) => nginx(await documented('nginx'))(where),
  },
  caddy: {
    command: (file) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
    configuration: async (where) => {
      const { folder, port } = where;
      const site = (await documented('caddyfile'))
        .replace('panel.example.com {', `https://:${port} {`)
        .replace('\n', `\n  bind 127.0.0.1\n  tls ${folder}/panel.crt ${folder}/panel.key\n`);
      return `{\n  admin off\n  auto_https off\n  default_sni localhost\n}\n${filled(site, where)}`;
    },
  },
  apache: {
    command: (file) => ['apache2', '-f', file, '-D', 'FOREGROUND'],
    configuration: async (where) => {
      const { folder, port } = where;
      return [
        ...apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `ServerRoot ${folder}`,
        'ServerName localhost',
        `PidFile ${folder}/apache.pid`,
        `DefaultRuntimeDir ${folder}`,
        `ErrorLog ${folder}/error.log`,
        `Listen 127.0.0.1:${port}`,
        filled(await documented('apache'), where),
      ].join('\n');
    },
  },
  haproxy: {
    command: (file) => ['haproxy', '-db', '-f', file],
    configuration: async (where) =>
      `global\n    log stderr local0 err\n${filled(await documented('haproxy'), where)}`,
  },
} as const satisfies Record<string, Program>;
export type ProxyName = keyof typeof programs;
export const proxyNames = Object.keys(programs) as ProxyName[];

export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });

/** A proxy of Debian's packages in front of the API, as a process of this test with its own folder and port. */
export const startProxy = async (
  name: ProxyName,
  {
    folder: parent,
    apiPort,
    certificate,
  }: { readonly folder: string; readonly apiPort: number; readonly certificate: Certificate },
): Promise<RunningProxy> => {
  const folder = join(parent, name.replaceAll(' ', '-'));
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  await writeFile(join(folder, 'panel.crt'), certificate.cert);
  await writeFile(join(folder, 'panel.key'), certificate.key);
  await writeFile(join(folder, 'panel.pem'), `${certificate.cert}\n${certificate.key}`);
  const file = join(folder, 'proxy.conf');
  const program: Program = programs[name];
  await writeFile(file, `${await program.configuration({ folder, port, apiPort })}\n`);
  const [command, ...args] = program.command(file);
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder };
  const child: ChildProcess = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-4000);
    });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
    if (!(await isOpen(port))) throw new Error(`${name} does not listen: ${said}`);
  }, 60_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(late);
    },
  };
};
