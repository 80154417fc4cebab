import { defineWords } from '../../language/define-words.ts';

export const enrolWords = defineWords(
  {
    ways: 'Ways to set up an agent',
    byLine: 'By one line',
    byHand: 'By hand',
    intro: (minutes: number) =>
      `You paste one line on the game’s machine. It downloads the agent from this Castellan, checks it, and makes it the agent of this server. The code in it works once, for ${minutes} minutes.`,
    replaces:
      'This server has an agent already. The new one takes its place: the present one is disconnected as soon as the line has run, and commands that it has not answered count as “end not known”.',
    address: 'Address of Castellan, as the game’s machine reaches it',
    addressHelp: 'The line downloads from here, and the agent connects to it.',
    addressFault: 'It must begin with http:// or https:// and have no name, password or question mark in it.',
    make: 'Make the line',
    makeNew: 'Make a new line',
    cancel: 'Cancel the code',
    left: (time: string) => `The code works for ${time} more`,
    shownOnce: 'A code is open, but it was shown only once. Make a new line; that ends the open code.',
    system: 'System of the game’s machine',
    systems: { linux: 'Linux', windows: 'Windows' },
    how: {
      linux: 'In a terminal on the game’s machine, best as root or as the account that runs the game:',
      windows: 'In PowerShell on the game’s machine, best opened with “Run as administrator”:',
    },
    line: 'Line to paste',
    copy: 'Copy the line',
    copied: 'Copied',
    copyByHand: 'Your browser does not let us copy: select the line',
    noProgram:
      'The agent’s program for this system is not there yet. Started from a checkout, Castellan makes it in about half a minute, and this page goes on by itself. In an installation, repair or install Castellan again.',
    localOnly: 'Only this machine reaches Castellan by this address',
    localOnlyText:
      'The line works if the game runs on this very machine. If it runs elsewhere, first let other machines reach Castellan.',
    localAddressText:
      'The line works if the game runs on this very machine. Otherwise enter Castellan’s name or address in your network.',
    openByEnv:
      'On Castellan’s machine, put a proxy with TLS in front of it, or set API_HOST, TLS_CERT_FILE and TLS_KEY_FILE in its .env file and restart it. Then open this page by the new address.',
    toNetwork: 'Open the network settings',
    plain: 'This address is not encrypted',
    plainText:
      'Agents from other machines are let in without TLS only when the settings allow it, and others on that network can read chat and commands. Use an https:// address where you can.',
    toSettings: 'To the settings',
    progress: 'How far the agent has come',
    stepTexts: {
      downloaded: {
        done: 'Downloaded',
        next: 'Waiting for the line to be pasted …',
        failed: 'Not downloaded',
        later: 'Download',
      },
      started: {
        done: 'Started, and proven by the code',
        next: 'Waiting for it to start …',
        failed: 'It was not enrolled',
        later: 'Start',
      },
      connected: {
        done: 'Connected',
        next: 'Waiting for it to connect …',
        failed: 'It was not let in',
        later: 'Connect',
      },
      console: {
        done: 'The game’s console is found',
        next: 'Looking for the game’s console …',
        failed: 'The game’s console is not found',
        later: 'Find the game’s console',
      },
      players: {
        done: 'Players are seen',
        next: 'Waiting for the list of players …',
        failed: 'The game is not online',
        later: 'See the players',
      },
    },
    playersSeen: (count: number) =>
      count === 1 ? 'Players are seen: 1 is on' : `Players are seen: ${count} are on`,
    notDownloaded:
      'Does the line say that it cannot download? Then the game’s machine does not reach the address above: check it, and firewalls on the way.',
    asksFirst: 'On the game’s machine, answer what the terminal asks about the game.',
    isOver: 'The code is over. Make a new line.',
    from: (address: string) => `The try came from ${address}.`,
    consoleRemedy: (game: string) =>
      `Check that ${game} runs. Then type on its machine: castellan-agent setup. It finds the game, and offers to turn its console on.`,
    playersRemedy: (game: string) => `Start ${game}, or wait until it is up.`,
    toServer: 'To the server',
    says: {
      wrongSystem:
        'This line is for Linux on x86-64. Elsewhere, run agent.mjs with Node 24: see the panel, By hand.',
      noTool: 'Neither curl nor wget is here. Install one of them, then paste the line again.',
      notDownloaded:
        'The agent could not be downloaded. Check that this machine reaches the address of Castellan and has 300 MB free, then paste the line again.',
      wrongSum:
        'The download is damaged, or was changed on the way. It was deleted, and nothing was run. Paste the line again, or make a new one in the panel.',
      notRun:
        'The agent cannot run here. Either its folder is mounted noexec, or this system has no glibc, as Alpine. See the panel, By hand.',
      notClosed:
        'The folder of the agent could not be closed to other accounts, so nothing was written. Open PowerShell as administrator, then paste the line again.',
    },
  },
  {
    ways: 'Formas de configurar um agente',
    byLine: 'Com uma linha',
    byHand: 'À mão',
    intro: (minutes: number) =>
      `Você cola uma linha na máquina do jogo. Ela baixa o agente deste Castellan, confere o arquivo e faz dele o agente deste servidor. O código nela vale uma vez, por ${minutes} minutos.`,
    replaces:
      'Este servidor já tem um agente. O novo toma o lugar dele: o atual é desconectado assim que a linha rodar, e os comandos que ele não respondeu ficam como “fim desconhecido”.',
    address: 'Endereço do Castellan, como a máquina do jogo o alcança',
    addressHelp: 'A linha baixa daqui, e o agente se conecta a ele.',
    addressFault:
      'Deve começar com http:// ou https:// e não pode conter nome, senha ou ponto de interrogação.',
    make: 'Criar a linha',
    makeNew: 'Criar uma linha nova',
    cancel: 'Cancelar o código',
    left: (time: string) => `O código ainda vale por ${time}`,
    shownOnce:
      'Há um código aberto, mas ele só foi mostrado uma vez. Crie uma linha nova; isso encerra o código aberto.',
    system: 'Sistema da máquina do jogo',
    systems: { linux: 'Linux', windows: 'Windows' },
    how: {
      linux: 'Em um terminal na máquina do jogo, de preferência como root ou com a conta que roda o jogo:',
      windows: 'No PowerShell na máquina do jogo, de preferência aberto com “Executar como administrador”:',
    },
    line: 'Linha para colar',
    copy: 'Copiar a linha',
    copied: 'Copiada',
    copyByHand: 'Seu navegador não nos deixa copiar: selecione a linha',
    noProgram:
      'O programa do agente para este sistema ainda não está lá. Iniciado a partir do código-fonte, o Castellan o cria em cerca de meio minuto, e esta página continua sozinha. Em uma instalação, repare ou instale o Castellan outra vez.',
    localOnly: 'Só esta máquina alcança o Castellan por este endereço',
    localOnlyText:
      'A linha funciona se o jogo roda nesta mesma máquina. Se ele roda em outra, antes deixe outras máquinas alcançarem o Castellan.',
    localAddressText:
      'A linha funciona se o jogo roda nesta mesma máquina. Caso contrário, digite o nome ou o endereço do Castellan na sua rede.',
    openByEnv:
      'Na máquina do Castellan, coloque um proxy com TLS na frente dele ou defina API_HOST, TLS_CERT_FILE e TLS_KEY_FILE no arquivo .env e reinicie. Depois abra esta página pelo endereço novo.',
    toNetwork: 'Abrir as configurações de rede',
    plain: 'Este endereço não é criptografado',
    plainText:
      'Agentes de outras máquinas só são aceitos sem TLS quando as configurações permitem, e outros nessa rede podem ler o chat e os comandos. Use um endereço https:// se puder.',
    toSettings: 'Ir para as configurações',
    progress: 'Até onde o agente chegou',
    stepTexts: {
      downloaded: {
        done: 'Baixado',
        next: 'Esperando a linha ser colada …',
        failed: 'Não baixado',
        later: 'Baixar',
      },
      started: {
        done: 'Iniciado e comprovado pelo código',
        next: 'Esperando ele iniciar …',
        failed: 'Ele não foi registrado',
        later: 'Iniciar',
      },
      connected: {
        done: 'Conectado',
        next: 'Esperando ele se conectar …',
        failed: 'Ele não foi aceito',
        later: 'Conectar',
      },
      console: {
        done: 'O console do jogo foi encontrado',
        next: 'Procurando o console do jogo …',
        failed: 'O console do jogo não foi encontrado',
        later: 'Encontrar o console do jogo',
      },
      players: {
        done: 'Os jogadores aparecem',
        next: 'Esperando a lista de jogadores …',
        failed: 'O jogo não está online',
        later: 'Ver os jogadores',
      },
    },
    playersSeen: (count: number) => `Os jogadores aparecem: ${count} online`,
    notDownloaded:
      'A linha diz que não consegue baixar? Então a máquina do jogo não alcança o endereço acima: confira-o, e os firewalls no caminho.',
    asksFirst: 'Na máquina do jogo, responda ao que o terminal pergunta sobre o jogo.',
    isOver: 'O código não vale mais. Crie uma linha nova.',
    from: (address: string) => `A tentativa veio de ${address}.`,
    consoleRemedy: (game: string) =>
      `Veja se ${game} está rodando. Depois digite na máquina dele: castellan-agent setup. Ele encontra o jogo e se oferece para ligar o console.`,
    playersRemedy: (game: string) => `Inicie ${game} ou espere até que esteja no ar.`,
    toServer: 'Ir para o servidor',
    says: {
      wrongSystem:
        'Esta linha é para Linux em x86-64. Em outros sistemas, use o agent.mjs com o Node 24: veja no painel, À mão.',
      noTool: 'Não há curl nem wget aqui. Instale um deles e cole a linha de novo.',
      notDownloaded:
        'O agente não pôde ser baixado. Veja se esta máquina alcança o endereço do Castellan e tem 300 MB livres, e cole a linha de novo.',
      wrongSum:
        'O arquivo baixado está danificado ou foi alterado no caminho. Ele foi apagado, e nada foi executado. Cole a linha de novo ou crie uma nova no painel.',
      notRun:
        'O agente não pode rodar aqui. Ou a pasta dele está montada com noexec, ou este sistema não tem glibc, como o Alpine. Veja no painel, À mão.',
      notClosed:
        'A pasta do agente não pôde ser fechada para outras contas, por isso nada foi gravado. Abra o PowerShell como administrador e cole a linha de novo.',
    },
  },
);
