import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const moderationWords = defineWords(
  {
    server: 'Server',
    noServer: 'You can’t manage players on any server.',
    choose: 'Choose a server',
    message: 'Message',
    reason: 'Reason (shown to the player)',
    reasonHelp: 'Optional. Some games don’t show it.',
    again: 'Try again',
    kept: 'Scheduled',
    keptText:
      'The server is offline or has not confirmed yet. Castellan sends it again until the game confirms.',
    refused: 'Rejected for now',
    refusedText: 'Castellan tries again until the game accepts it.',
    actions: {
      message: {
        act: 'Send',
        verb: 'Message to',
        text: 'Only this player sees it, and only while online.',
      },
      kick: {
        act: 'Kick',
        verb: 'Kick',
        text: 'The player is removed from the server and can rejoin immediately.',
      },
      unban: {
        act: 'Unban',
        verb: 'Unban',
        text: 'The player can join this server again. Bans on other servers stay.',
      },
      'whitelist-add': {
        act: 'Add',
        verb: 'Add to the whitelist:',
        text: 'Lets the player join while the server only accepts whitelisted players.',
      },
      'whitelist-remove': {
        act: 'Remove',
        verb: 'Remove from the whitelist:',
        text: 'The player can’t join while the server only accepts whitelisted players.',
      },
    },
    menu: {
      message: 'Message',
      kick: 'Kick',
      ban: 'Ban',
      unban: 'Unban on one server',
      'whitelist-add': 'Add to whitelist',
      'whitelist-remove': 'Remove from whitelist',
    },
    moderate: 'Moderate',
    many: {
      title: {
        message: (count: number) => `Message to ${plural.en(count, 'player', 'players')}`,
        kick: (count: number) => `Kick ${plural.en(count, 'player', 'players')}`,
        ban: (count: number) => `Ban ${plural.en(count, 'player', 'players')}`,
      },
      text: {
        message: 'Only these players see it.',
        kick: 'They are removed from their server and can rejoin immediately.',
        ban: 'They are removed and cannot come back until the bans end or you lift them.',
      },
      allServers: 'All servers of each player’s game',
      players: 'Players',
      progress: (done: number, all: number) => `${done} of ${all} finished`,
      waiting: 'Waiting',
      banned: 'Banned',
      noAnswer: 'No answer',
      noAnswerText: 'It may have been carried out. Look at this player’s timeline before you repeat it.',
      done: {
        message: (count: number) => `The message reached ${plural.en(count, 'player', 'players')}.`,
        kick: (count: number) => (count === 1 ? '1 player was kicked.' : `${count} players were kicked.`),
      },
      left: (done: number, all: number) => `Done for ${done} of ${all}`,
      notSent: 'Not sent',
      notDone: (names: string) => `Not done: ${names}.`,
      unsure: (names: string) => `No confirmation: ${names}. Check their timelines before you repeat it.`,
      moreNames: (count: number) => `${count} more`,
      leftOut: (count: number) =>
        count === 1
          ? '1 player is left out: no server of their game is chosen.'
          : `${count} players are left out: no server of their game is chosen.`,
      mayLeave: 'You can close this window. Work continues while the panel is open.',
    },
  },
  {
    server: 'Servidor',
    noServer: 'Você não pode gerenciar jogadores em nenhum servidor.',
    choose: 'Escolha um servidor',
    message: 'Mensagem',
    reason: 'Motivo (mostrado ao jogador)',
    reasonHelp: 'Opcional. Alguns jogos não o mostram.',
    again: 'Tentar de novo',
    kept: 'Agendado',
    keptText:
      'O servidor está offline ou ainda não confirmou. O Castellan envia de novo até o jogo confirmar.',
    refused: 'Rejeitado por enquanto',
    refusedText: 'O Castellan tenta de novo até o jogo aceitar.',
    actions: {
      message: {
        act: 'Enviar',
        verb: 'Mensagem para',
        text: 'Só este jogador vê, e só enquanto estiver online.',
      },
      kick: {
        act: 'Expulsar',
        verb: 'Expulsar',
        text: 'O jogador sai do servidor e pode voltar na hora.',
      },
      unban: {
        act: 'Desbanir',
        verb: 'Desbanir',
        text: 'O jogador pode entrar de novo neste servidor. Os banimentos em outros servidores continuam.',
      },
      'whitelist-add': {
        act: 'Adicionar',
        verb: 'Adicionar à whitelist:',
        text: 'Permite que o jogador entre enquanto o servidor só aceita quem está na whitelist.',
      },
      'whitelist-remove': {
        act: 'Remover',
        verb: 'Remover da whitelist:',
        text: 'O jogador não pode entrar enquanto o servidor só aceita quem está na whitelist.',
      },
    },
    menu: {
      message: 'Mensagem',
      kick: 'Expulsar',
      ban: 'Banir',
      unban: 'Desbanir em um servidor',
      'whitelist-add': 'Adicionar à whitelist',
      'whitelist-remove': 'Remover da whitelist',
    },
    moderate: 'Moderar',
    many: {
      title: {
        message: (count) => `Mensagem para ${plural.pt(count, 'jogador', 'jogadores')}`,
        kick: (count) => `Expulsar ${plural.pt(count, 'jogador', 'jogadores')}`,
        ban: (count) => `Banir ${plural.pt(count, 'jogador', 'jogadores')}`,
      },
      text: {
        message: 'Só estes jogadores veem.',
        kick: 'Eles são removidos do servidor e podem voltar na hora.',
        ban: 'Eles saem e não podem voltar até os banimentos acabarem ou você os remover.',
      },
      allServers: 'Todos os servidores do jogo de cada um',
      players: 'Jogadores',
      progress: (done, all) => `${done} de ${all} concluídos`,
      waiting: 'Esperando',
      banned: 'Banido',
      noAnswer: 'Sem resposta',
      noAnswerText: 'Pode ter sido executado. Veja a linha do tempo deste jogador antes de repetir.',
      done: {
        message: (count) => `A mensagem chegou a ${plural.pt(count, 'jogador', 'jogadores')}.`,
        kick: (count) => (count === 1 ? '1 jogador foi expulso.' : `${count} jogadores foram expulsos.`),
      },
      left: (done, all) => `Feito para ${done} de ${all}`,
      notSent: 'Não enviado',
      notDone: (names) => `Não feito: ${names}.`,
      unsure: (names) => `Sem confirmação: ${names}. Veja as linhas do tempo deles antes de repetir.`,
      moreNames: (count) => `mais ${count}`,
      leftOut: (count) =>
        count === 1
          ? '1 jogador fica de fora: nenhum servidor do jogo dele foi escolhido.'
          : `${count} jogadores ficam de fora: nenhum servidor do jogo deles foi escolhido.`,
      mayLeave: 'Você pode fechar esta janela. O trabalho continua enquanto o painel estiver aberto.',
    },
  },
);
