import { defineWords } from '#contracts/kernel/words.ts';

/** How a command, an order or a test ended, and what to do about it. */
export const outcomesWords = defineWords(
  {
    running: 'Running …',
    gameError: 'Rejected by the game',
    outcomes: {
      answered: 'Replied',
      timeout: 'No reply',
      'connection refused': 'Connection refused',
      'authentication failed': 'Wrong password',
      'name not found': 'Host not found',
      unreachable: 'Unreachable',
      'wrong protocol': 'Not this game’s console',
      'connection lost': 'Connection lost',
      'not ready': 'Not ready yet',
      cancelled: 'Cancelled',
      expired: 'Expired',
      'agent away': 'Game Agent offline',
      'invalid command': 'Invalid command',
      unknown: 'Outcome unknown',
    },
    remedies: {
      answered: 'The game replied.',
      timeout:
        'The game did not reply in time and may have run the command. Check in the game before you send it again.',
      'connection refused':
        'Nothing responds at this address. Check that the game is running, its remote console is on, and the port is right.',
      'authentication failed': 'The game rejected the password. Enter the one from the game’s configuration.',
      'name not found': 'No machine has this name. Check the spelling, or use the IP address.',
      unreachable:
        'The machine can’t be reached. Check the address, the firewall, and that the machine is on.',
      'wrong protocol':
        'Another program responds on this port. Compare the game and port with the game’s configuration.',
      'connection lost':
        'The connection was lost before the reply. Check in the game before you send it again: it may have run.',
      'not ready': 'The game is still starting. Try again in a minute.',
      cancelled: 'Cancelled before it was sent.',
      expired:
        'The server was unavailable for too long, so the command was not sent. Send it again when the server is back.',
      'agent away':
        'The Game Agent is not connected. Start it on the game’s machine, or enter a host in the settings.',
      'invalid command':
        'The command is too long for this game, has more than one line, or does not exist there. It was not sent.',
      unknown:
        'The command was sent, but an interruption hid the result. Check in the game before you send it again.',
    },
    verdicts: {
      done: 'Done',
      failed: 'Rejected by the game',
      later: 'Not possible now',
      unproven: 'Sent, not confirmed',
    },
    verdictTexts: {
      done: 'The game confirmed it.',
      failed: 'The game did not run it, and trying again will not help.',
      later: 'The game did not run it. Try again later, for example when the player is back.',
      unproven:
        'The game accepted the command, but its reply does not say whether it worked. Check in the game.',
    },
    gameSays: 'The game’s reply:',
    /** A time follows, such as "3 minutes ago". */
    revised: (from: string) => `Was “${from}” until the result arrived,`,
  },
  {
    running: 'Executando …',
    gameError: 'Rejeitado pelo jogo',
    outcomes: {
      answered: 'Respondido',
      timeout: 'Sem resposta',
      'connection refused': 'Conexão recusada',
      'authentication failed': 'Senha errada',
      'name not found': 'Host não encontrado',
      unreachable: 'Inacessível',
      'wrong protocol': 'Não é o console deste jogo',
      'connection lost': 'Conexão perdida',
      'not ready': 'Ainda não está pronto',
      cancelled: 'Cancelado',
      expired: 'Expirou',
      'agent away': 'Agente de jogo offline',
      'invalid command': 'Comando inválido',
      unknown: 'Resultado desconhecido',
    },
    remedies: {
      answered: 'O jogo respondeu.',
      timeout:
        'O jogo não respondeu a tempo e pode ter executado o comando. Confira no jogo antes de enviar de novo.',
      'connection refused':
        'Nada responde neste endereço. Veja se o jogo está rodando, o console remoto está ligado e a porta está certa.',
      'authentication failed': 'O jogo rejeitou a senha. Digite a que está na configuração do jogo.',
      'name not found': 'Nenhuma máquina tem esse nome. Confira a grafia ou use o endereço IP.',
      unreachable:
        'Não é possível alcançar a máquina. Confira o endereço, o firewall e se a máquina está ligada.',
      'wrong protocol':
        'Outro programa responde nesta porta. Compare jogo e porta com a configuração do jogo.',
      'connection lost':
        'A conexão caiu antes da resposta. Confira no jogo antes de enviar de novo: pode ter sido executado.',
      'not ready': 'O jogo ainda está iniciando. Tente de novo em um minuto.',
      cancelled: 'Cancelado antes de ser enviado.',
      expired:
        'O servidor ficou indisponível por tempo demais, então o comando não foi enviado. Envie de novo quando o servidor voltar.',
      'agent away':
        'O agente de jogo não está conectado. Inicie-o na máquina do jogo ou informe um host nas configurações.',
      'invalid command':
        'O comando é longo demais para este jogo, tem mais de uma linha ou não existe nele. Não foi enviado.',
      unknown:
        'O comando foi enviado, mas uma interrupção ocultou o resultado. Confira no jogo antes de enviar de novo.',
    },
    verdicts: {
      done: 'Feito',
      failed: 'Rejeitado pelo jogo',
      later: 'Não é possível agora',
      unproven: 'Enviado, sem confirmação',
    },
    verdictTexts: {
      done: 'O jogo confirmou.',
      failed: 'O jogo não executou, e tentar de novo não vai ajudar.',
      later: 'O jogo não executou. Tente mais tarde, por exemplo quando o jogador voltar.',
      unproven: 'O jogo aceitou o comando, mas a resposta não diz se funcionou. Confira no jogo.',
    },
    gameSays: 'Resposta do jogo:',
    revised: (from: string) => `Era “${from}” até o resultado chegar,`,
  },
);
