import { defineWords } from '../language/define-words.ts';

/** How a command, an order or a test ended, and what to do about it. */
export const outcomesWords = defineWords(
  {
    running: 'Running …',
    outcomes: {
      answered: 'Answered',
      timeout: 'No answer in time',
      'connection refused': 'Connection refused',
      'authentication failed': 'Password refused',
      'name not found': 'Host not found',
      unreachable: 'Not reachable',
      'wrong protocol': 'Not this game’s console',
      'connection lost': 'Connection lost',
      'not ready': 'Not ready yet',
      cancelled: 'Cancelled',
      expired: 'Waited too long',
      'agent away': 'Agent not connected',
      'invalid command': 'Not a valid command',
      unknown: 'End not known',
    },
    remedies: {
      answered: 'The game has answered.',
      timeout:
        'The game is there but did not answer. Look at the game before you send it again: it may have been carried out.',
      'connection refused':
        'Nothing listens there. Is the game running, its remote console switched on, and the port right?',
      'authentication failed':
        'The game refused the password. Enter the one from the game’s own configuration.',
      'name not found': 'There is no machine of this name. Look for a typing mistake, or use the IP address.',
      unreachable:
        'There is no way to that machine. Look at the address, the firewall and whether the machine is on.',
      'wrong protocol':
        'Something else answers at this port. Compare game and port with the game’s own configuration.',
      'connection lost':
        'The connection ended before the answer came. Look at the game before you send it again: it may have been carried out.',
      'not ready': 'The game is still starting. Try again in a minute.',
      cancelled: 'It was cancelled before it was sent.',
      expired: 'It waited too long for the server and was not sent. Send it again when the server is back.',
      'agent away':
        'The Game Agent of this server is not connected. Start it on the game’s machine, or enter a host in the settings.',
      'invalid command': 'It is too long for this game, or more than one line. It was not sent.',
      unknown:
        'It was sent, but its end was never written down, because something stopped in between. Look at the game before you send it again.',
    },
    verdicts: {
      done: 'Done',
      failed: 'The game says no',
      later: 'Not now',
      unproven: 'Sent, but not proven',
    },
    verdictTexts: {
      done: 'The game confirms that it was carried out.',
      failed: 'It was not carried out, and trying again will not help.',
      later: 'It was not carried out, but may work another time, such as when the player is back.',
      unproven: 'The game took the command, but its answer does not say whether it worked. Look at the game.',
    },
    gameSays: 'In its own words:',
    /** A time follows, such as "3 minutes ago". */
    revised: (from: string) => `It was “${from}” until the result came,`,
  },
  {
    running: 'Executando …',
    outcomes: {
      answered: 'Respondido',
      timeout: 'Sem resposta a tempo',
      'connection refused': 'Conexão recusada',
      'authentication failed': 'Senha recusada',
      'name not found': 'Host não encontrado',
      unreachable: 'Inacessível',
      'wrong protocol': 'Não é o console deste jogo',
      'connection lost': 'Conexão perdida',
      'not ready': 'Ainda não está pronto',
      cancelled: 'Cancelado',
      expired: 'Esperou demais',
      'agent away': 'Agente não conectado',
      'invalid command': 'Comando inválido',
      unknown: 'Fim desconhecido',
    },
    remedies: {
      answered: 'O jogo respondeu.',
      timeout:
        'O jogo está lá, mas não respondeu. Verifique no jogo antes de enviar de novo: pode ter sido executado.',
      'connection refused':
        'Nada atende nesse endereço. O jogo está rodando, com o console remoto ligado e a porta certa?',
      'authentication failed': 'O jogo recusou a senha. Digite a que está na configuração do próprio jogo.',
      'name not found':
        'Não existe máquina com esse nome. Procure um erro de digitação ou use o endereço IP.',
      unreachable:
        'Não há caminho até essa máquina. Confira o endereço, o firewall e se a máquina está ligada.',
      'wrong protocol':
        'Outra coisa responde nessa porta. Compare jogo e porta com a configuração do próprio jogo.',
      'connection lost':
        'A conexão terminou antes da resposta. Verifique no jogo antes de enviar de novo: pode ter sido executado.',
      'not ready': 'O jogo ainda está iniciando. Tente de novo em um minuto.',
      cancelled: 'Foi cancelado antes de ser enviado.',
      expired: 'Esperou demais pelo servidor e não foi enviado. Envie de novo quando o servidor voltar.',
      'agent away':
        'O agente deste servidor não está conectado. Inicie-o na máquina do jogo ou informe um host nas configurações.',
      'invalid command': 'É longo demais para este jogo, ou tem mais de uma linha. Não foi enviado.',
      unknown:
        'Foi enviado, mas o fim nunca foi registrado, porque algo parou no meio. Verifique no jogo antes de enviar de novo.',
    },
    verdicts: {
      done: 'Feito',
      failed: 'O jogo negou',
      later: 'Agora não',
      unproven: 'Enviado, mas sem prova',
    },
    verdictTexts: {
      done: 'O jogo confirma que foi executado.',
      failed: 'Não foi executado, e tentar de novo não vai ajudar.',
      later: 'Não foi executado, mas pode funcionar depois, por exemplo quando o jogador voltar.',
      unproven: 'O jogo aceitou o comando, mas a resposta não diz se funcionou. Verifique no jogo.',
    },
    gameSays: 'Nas palavras dele:',
    revised: (from: string) => `Era “${from}” até o resultado chegar,`,
  },
);
