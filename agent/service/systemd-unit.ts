export const unitName = 'castellan-agent.service';

const path = (text: string): string => text.replaceAll('%', '%%');
/** As systemd parses the words of a command line (systemd.service(5)): quotes, %, $ and backslashes are special. */
const argument = (text: string): string =>
  `"${path(text).replace(/["\\]/g, '\\$&').replaceAll('$', '$$$$')}"`;
/** In the program's own name $ is not special. */
const commandLine = ([program = '', ...args]: readonly string[]): string =>
  [`"${path(program)}"`, ...args.map(argument)].join(' ');

/** Whether systemd accepts it as the path of a program. */
export const isUnitPath = (text: string): boolean => !/["'\\\p{Cc}]/u.test(text);

/** Needed by an agent as root: it runs each game under the account of its folder and inspects its processes. */
const rootCapabilities =
  'CAP_SETUID CAP_SETGID CAP_KILL CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_SYS_PTRACE CAP_SYS_NICE CAP_SYS_RESOURCE';

/**
 * The agent as a systemd service. Games that the agent holds live in its control group and inherit its sandbox, so it is as tight
 * as games allow: `systemd-analyze security` would like more, and the comments say why not.
 */
export const systemdUnit = ({
  program,
  home,
  account,
}: {
  /** Absolute path. */
  readonly program: readonly [string, ...string[]];
  readonly home: string;
  /** The owner of the games' folders, or root when games of several accounts are run. */
  readonly account: string;
}): string => `# Written by "castellan-agent install", which writes it again.
[Unit]
Description=Castellan Game Agent
Wants=network-online.target
After=network-online.target
# Games wait for it: while a person runs an agent in a terminal, it is tried until that one has ended.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${account}
WorkingDirectory=${path(home)}
ExecStart=${commandLine([...program, 'run', '--home', home])}
Restart=always
RestartSec=5
TimeoutStopSec=30

# A stop or an update of the agent must not end the games that it holds: they stay in this group without it.
KillMode=process
# One game that the kernel ends for want of memory must not end the agent and the other games.
OOMPolicy=continue
# ARK wants 100000 open files; Java's and Unity's threads are many.
LimitNOFILE=100000
TasksMax=infinity

NoNewPrivileges=yes
CapabilityBoundingSet=${account === 'root' ? rootCapabilities : ''}
# Games write in their own folder, wherever it is: only the system's folders are closed.
ProtectSystem=full
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectHostname=yes
PrivateDevices=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# steamcmd and some servers are 32-bit programs.
SystemCallArchitectures=native x86
SystemCallFilter=~@clock @module @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM

# Left out, because games need it:
# MemoryDenyWriteExecute: Java, Mono and Wine make code while they run.
# ProtectHome: most game servers lie in a home.
# PrivateTmp: its folder would go with a stop of the agent, under the games that go on.
# ProtectProc, ProtectKernelTunables, ProtectKernelLogs, RestrictNamespaces, PrivateUsers: Proton's container needs
# namespaces and a whole /proc, and the agent looks at processes.
# LockPersonality, @cpu-emulation, @debug: Wine.
# IPAddressDeny: panels and players are anywhere.

[Install]
WantedBy=multi-user.target
`;

export const powerRulePath = '/etc/polkit-1/rules.d/50-castellan-agent.rules';

const verbs = ['start', 'stop', 'restart', 'kill'];

/**
 * Lets the agent's account control the units of the games, and no other unit, without a password (polkit(8);
 * org.freedesktop.systemd1(5), manage-units).
 */
export const powerRule = (
  account: string,
  units: readonly string[],
): string => `// Written by "castellan-agent install", which writes it again.
polkit.addRule(function (action, subject) {
  if (
    action.id === "org.freedesktop.systemd1.manage-units" &&
    subject.user === ${JSON.stringify(account)} &&
    ${JSON.stringify(units)}.indexOf(action.lookup("unit")) >= 0 &&
    ${JSON.stringify(verbs)}.indexOf(action.lookup("verb")) >= 0
  )
    return polkit.Result.YES;
});
`;
