import { defineWords } from '#contracts/kernel/words.ts';

export const enrolWords = defineWords(
  {
    ways: 'Setup method',
    byLine: 'One command',
    byHand: 'Manual',
    intro: (minutes: number) =>
      `Paste one command on the game’s machine. It downloads the Game Agent from Castellan, verifies it, and connects it to this server. The command works once, for ${minutes} minutes.`,
    replaces:
      'This server already has a Game Agent. The new one replaces it: the old one disconnects as soon as you run the command, and its unanswered commands are marked “Outcome unknown”.',
    address: 'Castellan’s address, as seen from the game’s machine',
    addressHelp: 'The download and the Game Agent’s connection use this address.',
    otherAddresses: 'Addresses of this computer, the likeliest first:',
    addressFault: 'Start with http:// or https://, and leave out names, passwords and question marks.',
    make: 'Create command',
    makeNew: 'Create new command',
    cancel: 'Cancel command',
    left: (time: string) => `Valid for another ${time}`,
    shownOnce: 'A command is still valid, but it is shown only once. Creating a new one cancels it.',
    system: 'Operating system of the game’s machine',
    systems: { linux: 'Linux', windows: 'Windows' },
    how: {
      linux:
        'Run this in a terminal on the game’s machine, preferably as root or as the account that runs the game:',
      windows: 'Run this in PowerShell on the game’s machine, preferably as administrator:',
    },
    line: 'Command',
    copy: 'Copy command',
    copied: 'Copied',
    copyByHand: 'Your browser does not allow copying. Select the command instead.',
    noProgram:
      'The Game Agent for this system is not ready yet. When you run Castellan from source, this takes about half a minute. In an installation, repair or reinstall Castellan.',
    localOnly: 'Only this machine can reach Castellan at this address',
    localOnlyText:
      'The command works if the game runs on this machine. Otherwise, let other machines reach Castellan first.',
    localAddressText:
      'The command works if the game runs on this machine. Otherwise, enter Castellan’s name or address in your network.',
    openByEnv:
      'On Castellan’s machine, set up a TLS proxy, or set API_HOST, TLS_CERT_FILE and TLS_KEY_FILE in the .env file and restart Castellan. Then open this page at the new address.',
    toNetwork: 'Open network settings',
    plain: 'This address is not encrypted',
    plainText:
      'Others on that network can read chat and commands. Use an https:// address if you can; otherwise, allow unencrypted Game Agents in the settings.',
    toSettings: 'Open settings',
    progress: 'Progress',
    stepTexts: {
      downloaded: {
        done: 'Downloaded',
        next: 'Waiting for you to run the command …',
        failed: 'Download failed',
        later: 'Download',
      },
      started: {
        done: 'Started and verified',
        next: 'Waiting for it to start …',
        failed: 'Not enrolled',
        later: 'Start',
      },
      connected: {
        done: 'Connected',
        next: 'Waiting for it to connect …',
        failed: 'Connection rejected',
        later: 'Connect',
      },
      console: {
        done: 'Game console found',
        next: 'Looking for the game console …',
        failed: 'Game console not found',
        later: 'Find the game console',
      },
      players: {
        done: 'Player list received',
        next: 'Waiting for the player list …',
        failed: 'The game is offline',
        later: 'Receive the player list',
      },
    },
    playersSeen: (count: number) => `Player list received: ${count} online`,
    notDownloaded:
      'If the download fails, the game’s machine can’t reach the address above. Check the address and any firewall in between.',
    asksFirst: 'Answer the questions in the terminal on the game’s machine.',
    isOver: 'This command has expired. Create a new one.',
    from: (address: string) => `The attempt came from ${address}.`,
    consoleRemedy: (game: string) =>
      `Check that ${game} is running. Then run this on its machine: castellan-agent setup. It finds the game and offers to turn on its console.`,
    playersRemedy: (game: string) => `Start ${game}, or wait until it is online.`,
    toServer: 'Go to server',
    says: {
      wrongSystem:
        'This command is for Linux on x86-64. On other systems, run agent.mjs with Node 24.11 or newer: see “Manual” in the panel.',
      noTool: 'Neither curl nor wget is installed. Install one of them, then run the command again.',
      notDownloaded:
        'The Game Agent could not be downloaded. Check that this machine can reach Castellan and has 300 MB free, then run the command again.',
      wrongSum:
        'The download is damaged or was changed on the way. It was deleted without being run. Run the command again, or create a new one in the panel.',
      notRun:
        'The Game Agent cannot run here: its folder is mounted noexec (name another one by XDG_DATA_HOME), or this system has no glibc 2.28 or newer (Alpine, CentOS 7). See “Manual” in the panel.',
      notClosed:
        'The Game Agent’s folder could not be protected from other accounts, so nothing was written. Open PowerShell as administrator, then run the command again.',
    },
  },
  {
    ways: 'Forma de configurar',
    byLine: 'Um comando',
    byHand: 'Manual',
    intro: (minutes: number) =>
      `Cole um comando na máquina do jogo. Ele baixa o agente de jogo do Castellan, confere o arquivo e o conecta a este servidor. O comando vale uma vez, por ${minutes} minutos.`,
    replaces:
      'Este servidor já tem um agente de jogo. O novo o substitui: o antigo se desconecta assim que você executar o comando, e os comandos sem resposta ficam como “Resultado desconhecido”.',
    address: 'Endereço do Castellan, visto da máquina do jogo',
    addressHelp: 'O download e a conexão do agente de jogo usam este endereço.',
    otherAddresses: 'Endereços deste computador, o mais provável primeiro:',
    addressFault: 'Comece com http:// ou https://, sem nome, senha ou ponto de interrogação.',
    make: 'Criar comando',
    makeNew: 'Criar novo comando',
    cancel: 'Cancelar comando',
    left: (time: string) => `Válido por mais ${time}`,
    shownOnce: 'Um comando ainda é válido, mas só é mostrado uma vez. Criar um novo o cancela.',
    system: 'Sistema operacional da máquina do jogo',
    systems: { linux: 'Linux', windows: 'Windows' },
    how: {
      linux:
        'Execute isto em um terminal na máquina do jogo, de preferência como root ou com a conta que roda o jogo:',
      windows: 'Execute isto no PowerShell na máquina do jogo, de preferência como administrador:',
    },
    line: 'Comando',
    copy: 'Copiar comando',
    copied: 'Copiado',
    copyByHand: 'Seu navegador não permite copiar. Selecione o comando.',
    noProgram:
      'O agente de jogo para este sistema ainda não está pronto. Se você roda o Castellan a partir do código-fonte, isso leva cerca de meio minuto. Em uma instalação, repare ou reinstale o Castellan.',
    localOnly: 'Só esta máquina alcança o Castellan neste endereço',
    localOnlyText:
      'O comando funciona se o jogo roda nesta máquina. Caso contrário, primeiro permita que outras máquinas alcancem o Castellan.',
    localAddressText:
      'O comando funciona se o jogo roda nesta máquina. Caso contrário, digite o nome ou o endereço do Castellan na sua rede.',
    openByEnv:
      'Na máquina do Castellan, configure um proxy com TLS, ou defina API_HOST, TLS_CERT_FILE e TLS_KEY_FILE no arquivo .env e reinicie o Castellan. Depois abra esta página no endereço novo.',
    toNetwork: 'Abrir configurações de rede',
    plain: 'Este endereço não é criptografado',
    plainText:
      'Outras pessoas nessa rede podem ler o chat e os comandos. Use um endereço https:// se puder; caso contrário, permita agentes de jogo sem criptografia nas configurações.',
    toSettings: 'Abrir configurações',
    progress: 'Andamento',
    stepTexts: {
      downloaded: {
        done: 'Baixado',
        next: 'Esperando você executar o comando …',
        failed: 'O download falhou',
        later: 'Baixar',
      },
      started: {
        done: 'Iniciado e verificado',
        next: 'Esperando ele iniciar …',
        failed: 'Não registrado',
        later: 'Iniciar',
      },
      connected: {
        done: 'Conectado',
        next: 'Esperando ele se conectar …',
        failed: 'Conexão rejeitada',
        later: 'Conectar',
      },
      console: {
        done: 'Console do jogo encontrado',
        next: 'Procurando o console do jogo …',
        failed: 'Console do jogo não encontrado',
        later: 'Encontrar o console do jogo',
      },
      players: {
        done: 'Lista de jogadores recebida',
        next: 'Esperando a lista de jogadores …',
        failed: 'O jogo está offline',
        later: 'Receber a lista de jogadores',
      },
    },
    playersSeen: (count: number) => `Lista de jogadores recebida: ${count} online`,
    notDownloaded:
      'Se o download falhar, a máquina do jogo não alcança o endereço acima. Confira o endereço e os firewalls no caminho.',
    asksFirst: 'Responda às perguntas no terminal da máquina do jogo.',
    isOver: 'Este comando expirou. Crie um novo.',
    from: (address: string) => `A tentativa veio de ${address}.`,
    consoleRemedy: (game: string) =>
      `Veja se ${game} está rodando. Depois execute na máquina dele: castellan-agent setup. Ele encontra o jogo e se oferece para ligar o console.`,
    playersRemedy: (game: string) => `Inicie ${game} ou espere até que esteja online.`,
    toServer: 'Ir para o servidor',
    says: {
      wrongSystem:
        'Este comando é para Linux em x86-64. Em outros sistemas, use o agent.mjs com o Node 24.11 ou mais novo: veja “Manual” no painel.',
      noTool: 'Nem curl nem wget estão instalados. Instale um deles e execute o comando de novo.',
      notDownloaded:
        'Não foi possível baixar o agente de jogo. Veja se esta máquina alcança o Castellan e tem 300 MB livres, e execute o comando de novo.',
      wrongSum:
        'O arquivo baixado está danificado ou foi alterado no caminho. Ele foi apagado sem ser executado. Execute o comando de novo ou crie um novo no painel.',
      notRun:
        'O agente de jogo não pode rodar aqui: a pasta está montada com noexec (indique outra por XDG_DATA_HOME), ou este sistema não tem glibc 2.28 ou mais nova (Alpine, CentOS 7). Veja “Manual” no painel.',
      notClosed:
        'A pasta do agente de jogo não pôde ser protegida de outras contas, por isso nada foi gravado. Abra o PowerShell como administrador e execute o comando de novo.',
    },
  },
);
