import { defineWords } from '#contracts/kernel/words.ts';

export const chatTrustWords = defineWords(
  {
    title: 'Buying and linking by chat',
    about:
      'Anyone who controls this server decides what its players say. Players can spend points and link accounts by its chat only while you trust it.',
    rule: 'Even then, a player who is new here waits 24 hours, confirms once in Discord with /confirm, or is confirmed by an admin.',
    ends: 'Another host, port or Game Agent ends the trust; a new password does not.',
    trusted: 'Trusted: players can spend and link by the chat of this server.',
    untrusted: 'Not trusted: players cannot spend or link by the chat of this server.',
    unreviewed: 'An update trusted this server, because its chat shop worked. Check whether you trust it.',
    ended: {
      address: 'The trust ended because the host or port changed.',
      agent: 'The trust ended because the Game Agent changed.',
    },
    trust: 'Trust this server',
    keep: 'Keep trusting',
    stop: 'Stop trusting',
    question: (name: string) => `Trust the chat of \u2068${name}\u2069?`,
    notice: {
      title: 'Check which servers you trust for buying by chat',
      unreviewed: 'An update trusted it; no one has checked it yet.',
    },
  },
  {
    title: 'Comprar e vincular pelo chat',
    about:
      'Quem controla este servidor decide o que os jogadores dele dizem. Jogadores só gastam pontos e vinculam contas pelo chat enquanto você confiar nele.',
    rule: 'Mesmo assim, um jogador novo aqui espera 24 horas, confirma uma vez no Discord com /confirmar ou é confirmado por um administrador.',
    ends: 'Outro host, porta ou agente de jogo encerra a confiança; uma nova senha, não.',
    trusted: 'Confiável: jogadores podem gastar e vincular pelo chat deste servidor.',
    untrusted: 'Não confiável: jogadores não podem gastar nem vincular pelo chat deste servidor.',
    unreviewed:
      'Uma atualização marcou este servidor como confiável, porque a loja do chat funcionava. Verifique se você confia nele.',
    ended: {
      address: 'A confiança acabou porque o host ou a porta mudou.',
      agent: 'A confiança acabou porque o agente de jogo mudou.',
    },
    trust: 'Confiar neste servidor',
    keep: 'Continuar confiando',
    stop: 'Deixar de confiar',
    question: (name: string) => `Confiar no chat de \u2068${name}\u2069?`,
    notice: {
      title: 'Verifique em quais servidores você confia para comprar pelo chat',
      unreviewed: 'Uma atualização o marcou como confiável; ninguém o verificou ainda.',
    },
  },
);
