/** What systemd does for our unit before the program runs: systemd.exec(5), "Process Exit Codes". */
const causes: Readonly<Record<string, string>> = {
  '200':
    'systemd could not enter the data folder. Check that the service’s account may open each folder above it.',
  '203':
    'systemd could not execute the program. With SELinux (Fedora, RHEL, Rocky), programs outside the system’s folders need a label: sudo chcon -R -t bin_t "<home>/program". Otherwise the disk may be mounted with noexec: choose another one with --home.',
  '205':
    'systemd could not raise the limit of open files to 100000, since this container may not. Raise its own (LXC and Proxmox: lxc.prlimit.nofile = 100000), or let the container start: castellan-agent run',
  '209': 'systemd could not open the service’s output. Check the disk and the journal.',
  '216': 'The group of the service’s account does not exist any more. Run: castellan-agent install',
  '217': 'The service’s account does not exist any more. Run: castellan-agent install',
  '218':
    'systemd could not take away capabilities; this is mostly an unprivileged container. Let the container start: castellan-agent run',
  '226':
    'systemd could not set up the service’s sandbox. In an LXC or Docker container allow nesting (Proxmox: Options, Features, nesting; LXD: lxc config set <name> security.nesting true), or let the container start: castellan-agent run',
  '228':
    'systemd could not set up the filter of system calls; the kernel or the container does not allow it. Let the container start: castellan-agent run',
  '237': 'The data folder is not there. Check the disk, or run: castellan-agent install',
  '127':
    'The program is not there, or this system’s C library is older than it needs (glibc 2.28 and newer; Alpine’s musl is none). Use a newer system.',
};

/** Why systemd did not start the service, by the properties that `systemctl show` prints; null where it gives no such reason. */
export const startFault = (properties: ReadonlyMap<string, string>, home: string): string | null => {
  const status = properties.get('ExecMainStatus') ?? '';
  if (properties.get('Result') === 'success') return null;
  const cause = causes[status];
  return cause === undefined ? null : `${cause.replace('<home>', home)} (status ${status})`;
};
