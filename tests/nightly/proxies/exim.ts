import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';

export interface Exim extends AsyncDisposable {
  readonly port: number;
}

/**
 * Refusals by the local part, as Exim's access control gives them; accepted mails stay in the queue. Each recipient that begins with
 * `grey` is put off once.
 */
const configuration = (folder: string, port: number): string => `
exim_path = /usr/sbin/exim4
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/exim.pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
primary_hostname = mail.example.com
domainlist local_domains = example.com : xn--e1afmkfd.xn--p1ai
exim_user = root
exim_group = root
queue_only = true
keep_environment =
smtputf8_advertise_hosts = *
tls_advertise_hosts = *
tls_certificate = ${folder}/panel.crt
tls_privatekey = ${folder}/panel.key
auth_advertise_hosts = \${if def:tls_in_cipher {*}{}}
message_size_limit = 200K
acl_smtp_mail = acl_mail
acl_smtp_rcpt = acl_rcpt
acl_smtp_data = acl_data
begin acl
acl_mail:
  deny    senders = blocked@shop.example
          message = 5.7.1 Client host blocked using zen.spamhaus.org
  accept
acl_rcpt:
  defer   local_parts = ^grey.*
          condition = \${if !exists{${folder}/seen/$local_part} {yes}{no}}
          condition = \${run{/bin/touch ${folder}/seen/$local_part}{yes}{yes}}
          message = 4.7.1 greylisted, please try again
  defer   local_parts = fullnow
          message = 4.2.2 mailbox full for now
  deny    local_parts = full
          message = 5.2.2 mailbox full
  deny    local_parts = limited
          message = 5.4.5 Daily user sending limit exceeded
  deny    local_parts = unspecific
          message = Administrative prohibition
  deny    local_parts = disabled
          message = 5.2.1 mailbox disabled
  deny    domains = !+local_domains
          message = relay not permitted
  deny    local_parts = nobody-here
          message = Unrouteable address
  accept
acl_data:
  deny    condition = \${if match{$h_subject:}{spam} {yes}{no}}
          message = 5.7.1 This message looks like spam
  accept
begin routers
kept:
  driver = accept
  verify_only
begin retry
* * F,1h,5m
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{portal}}{eq{$auth3}{a password}}} {yes}{no}}
  server_set_id = $auth2
`;

/** Debian's Exim as a process of this test, in its own folder. @throws what it says, when it does not start */
export const startExim = async (folder: string): Promise<Exim> => {
  for (const name of ['spool', 'log', 'seen']) await mkdir(join(folder, name), { recursive: true });
  const port = await freePort();
  const file = join(folder, 'exim.conf');
  await writeFile(file, configuration(folder, port), { mode: 0o600 });
  const child = spawn('/usr/sbin/exim4', ['-C', file, '-bdf', '-q30m'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Exim ended: ${said}`);
    await new Promise<void>((done, fail) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done();
      }).once('error', fail);
    });
  }, 30_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
};
