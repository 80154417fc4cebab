type Value = string | number;

/**
 * Why a game's console cannot be reached, and what is wrong with a server's status: sentences of `reasons`, which gives
 * each its code. A text may contain several of them in a row.
 */
export const consoleReasons = {
  'error-code': (code: Value) => `Error code: ${code}.`,
  'console-cancelled': 'Connecting was cancelled.',
  'console-closed-here': 'Castellan closed the connection.',
  'console-link-closed': 'The link to the game was closed.',
  'console-ended': 'The connection ended.',
  'console-name-empty': 'The server has no address.',
  'console-password-unsendable':
    'The password has a line break or another character that cannot be sent, or it is too long.',
  'console-password-damaged': 'The stored password is damaged. Enter it again.',
  'console-password-sealed': (key: Value) =>
    `The stored password is encrypted with the key ${key}. Put that key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart, or enter the password again.`,
  'console-login-timeout': (address: Value) =>
    `${address} accepts connections but did not answer the sign-in in time.`,
  'console-timeout': (address: Value) => `${address} did not answer in time.`,
  'console-closed': (address: Value) => `${address} closed the connection.`,
  'console-refused': (address: Value) => `Nothing listens on ${address}.`,
  'console-cut': (address: Value) => `${address} cut the connection.`,
  'console-name-unknown': (host: Value) => `The name "${host}" is not known.`,
  'console-unreachable': (address: Value) => `${address} cannot be reached from here.`,
  'console-password-refused': (address: Value) => `${address} refused the password.`,
  'console-password-missing': (address: Value) => `${address} asks for a password, and none is set.`,
  'console-no-rcon': (address: Value) => `What answers on ${address} does not speak RCON.`,
  'console-no-telnet': (address: Value) => `What answers on ${address} is not the console of 7 Days to Die.`,
  'console-no-rest': (address: Value) => `What answers on ${address} is not the REST API of this game.`,
  'console-http-fault': (address: Value, status: Value) =>
    `${address} answered with the HTTP error ${status}.`,
  'console-closed-on-password': (address: Value) => `${address} closed the connection on the password.`,
  'console-closed-on-rcon-password': (address: Value) =>
    `${address} closed the connection on the password: it is wrong, the game refuses this address, or this is the port for players and not the one of RCON.`,
  'console-closed-before-password': (address: Value) =>
    `${address} closed the connection before it asked for a password: it refuses this address for a while after wrong passwords, or it is not the console of 7 Days to Die.`,
  'console-not-ready': 'The game accepts the password but takes no commands yet. It may still be starting.',
  'console-not-answers': 'After the sign-in came something other than answers.',
  'console-closed-before-answer':
    'The game accepted the password and closed the connection before it answered.',
  'console-command-timeout': 'A command got no answer in time.',
  'console-command-cancelled': 'A command was cancelled before its answer.',
  'console-reply-endless': 'A reply did not end.',

  'advice-refused': (enable: Value) => `Is the server running, and is its console turned on (${enable})?`,
  'advice-timeout': (enable: Value) =>
    `Is the address right, does a firewall let the port through, and is the console turned on (${enable})?`,
  'advice-password': (password: Value) =>
    `The password is the game's ${password}. After a change, restart the game.`,
  'advice-name': 'Check the spelling, or enter the IP address.',
  'advice-unreachable': 'Check the address, and the network between this machine and the server.',
  'advice-protocol': (game: Value, port: Value, enable: Value) =>
    `Is this the port of the console? The usual port of ${game} is ${port}. It is set by ${enable}.`,
  'advice-not-ready': 'Wait until it has started, then try again.',
  'advice-lost': 'Try again in a minute. If it stays so, look at the log of the game server.',
  'ark-enable': 'RCONEnabled=True and RCONPort in GameUserSettings.ini',
  'ark-password': 'ServerAdminPassword in GameUserSettings.ini',
  'seven-days-enable': 'TelnetEnabled and TelnetPort in serverconfig.xml',
  'seven-days-password': 'TelnetPassword in serverconfig.xml',
  'minecraft-enable': 'enable-rcon=true and rcon.port in server.properties',
  'minecraft-password': 'rcon.password in server.properties',
  'palworld-enable': 'RESTAPIEnabled=True and RESTAPIPort in PalWorldSettings.ini',
  'palworld-password': 'AdminPassword in PalWorldSettings.ini',

  'list-empty': 'The game answered nothing.',
  'list-none': 'This is not the list of players.',
  'list-cut': 'The list of players is incomplete.',
  'list-player': 'A player in the list cannot be read.',
  'list-count': (counted: Value, named: Value) => `The game counts ${counted} players and names ${named}.`,
  'list-said': (lines: Value) => `The game answered: ${lines}`,

  'status-connecting': 'Connecting.',
  'status-not-asked': 'The game was not asked for a while.',
  'status-silent': 'The game did not answer the last command.',
  'status-not-running': 'The game is not running.',
  'status-agent-silent': 'The Game Agent has been silent for a while.',
  'status-agent-away': 'The Game Agent of this server is not connected.',
  'status-no-way': 'This server has no console address and no Game Agent, so it cannot be reached.',
  'status-players-unknown': 'The game answers, but does not say who is on it.',
  'status-not-answered': 'The game has not answered yet.',
  // The command may be a path; it ends in "setup".
  'status-agent-setup': (command: Value) =>
    `No console is set up. On the machine of the game, run: ${command} setup`,
} as const;
