import { defineWords } from '#contracts/kernel/words.ts';

/** Terms as in docs/glossary.md, with their meanings. */
export const termsWords = defineWords(
  {
    stack: { name: 'stack', means: 'The database, the API and the bot, which Castellan runs together.' },
    hardwareId: { name: 'hardware ID (HWID)', means: 'What binds a license to a machine.' },
    gracePeriod: {
      name: 'grace period',
      means: 'The days in which everything keeps working although the license cannot be verified.',
    },
    transfer: {
      name: 'transfer (of a license)',
      means: 'Moves a license to another machine; one is free every 30 days.',
    },
    backup: {
      name: 'backup',
      means: 'A copy of the database and its settings, test-restored before it counts.',
    },
    admin: { name: 'admin', means: 'An account of this panel.' },
    role: {
      name: 'role, permission',
      means: 'A role is a set of permissions, everywhere or on individual servers.',
    },
    stepUp: {
      name: 'Confirm it’s you',
      means: 'Your password, a code or a local confirmation, asked for again before a sensitive action.',
    },
    member: {
      name: 'member',
      means: 'A person: any number of players, at most one Discord account, one wallet.',
    },
    player: { name: 'player', means: 'One identity in one game.' },
    points: { name: 'points', means: 'What members hold and pay with.' },
    reward: {
      name: 'reward',
      means: 'Points that a rule or a code gives: time online, a first visit, each day.',
    },
    rewardCode: { name: 'reward code', means: 'What a member redeems for points.' },
    gameAgent: { name: 'Game Agent', means: 'The program next to a game server.' },
    chatTrust: {
      name: 'trust (of a server’s chat)',
      means: 'An owner lets the chat of a server spend players’ points and link their accounts.',
    },
    chatNewcomer: {
      name: 'new on a server',
      means: 'First seen there less than 24 hours ago: no buying or linking by chat until confirmed.',
    },
    cluster: { name: 'server, cluster', means: 'A game server, and servers that belong together.' },
    console: { name: 'console', means: 'Where commands for a game go.' },
    world: { name: 'world', means: 'What a game keeps of its players and buildings.' },
    ban: {
      name: 'ban, kick, whitelist',
      means: 'Keep a player out, remove a player from a server, and list who may join.',
    },
    unban: { name: 'unban', means: 'Lift a ban: on all its servers, or on one.' },
    inForce: { name: 'in force', means: 'The game has said that it banned the player.' },
    product: { name: 'product, part', means: 'What is sold, and one of the things in it.' },
    order: { name: 'order', means: 'One purchase: charged once, with its deliveries.' },
    delivery: { name: 'delivery', means: 'One thing that a game has to give.' },
    desk: { name: 'desk', means: 'Where deliveries wait for a person.' },
    withdraw: { name: 'withdraw', means: 'Keep a gift from being given before its points go back.' },
    source: { name: 'source (of an order)', means: 'Where an order came from; a test is no sale.' },
    timedPurchase: {
      name: 'timed purchase',
      means: 'What was bought for a limited time and is removed at its end.',
    },
    season: { name: 'season, wipe', means: 'A wipe empties a game’s world; a season follows it.' },
    restoreAfterWipe: {
      name: 'restore after a wipe',
      means: 'A season delivers for free what the wipe took.',
    },
    externalShop: {
      name: 'external shop, external order',
      means: 'A shop that takes money and reports its orders.',
    },
    dismiss: { name: 'dismiss', means: 'A person has decided that nothing more is done for it.' },
    discount: { name: 'discount', means: 'Makes an order cheaper, automatically or by a code.' },
    changes: { name: 'changes', means: 'What would be added, changed and removed, before it starts.' },
    modChange: { name: 'change of mods', means: 'One job that is done whole, or not at all.' },
    set: { name: 'set', means: 'Mods that are put on several servers.' },
    rehearse: { name: 'test on a copy', means: 'Start the new mods on a copy of the server first.' },
    rollBack: {
      name: 'roll back, restore the old mods',
      means: 'Return to the old mods because the game did not run with the new ones.',
    },
  },
  {
    stack: { name: 'sistema', means: 'O banco de dados, a API e o bot, que o Castellan executa juntos.' },
    hardwareId: { name: 'ID de hardware (HWID)', means: 'O que vincula uma licença a uma máquina.' },
    gracePeriod: {
      name: 'carência',
      means: 'Os dias em que tudo continua funcionando embora a licença não possa ser verificada.',
    },
    transfer: {
      name: 'transferência',
      means: 'Leva uma licença para outra máquina; uma é gratuita a cada 30 dias.',
    },
    backup: {
      name: 'backup',
      means: 'Uma cópia do banco de dados e das configurações, restaurada em um teste antes de contar.',
    },
    admin: { name: 'administrador', means: 'Uma conta deste painel.' },
    role: {
      name: 'função, permissão',
      means: 'Uma função é um conjunto de permissões, em tudo ou em servidores específicos.',
    },
    stepUp: {
      name: 'Confirme que é você',
      means: 'Sua senha, um código ou uma confirmação local, pedidos de novo antes de uma ação sensível.',
    },
    member: {
      name: 'membro',
      means: 'Uma pessoa: vários jogadores, no máximo uma conta do Discord, uma carteira.',
    },
    player: { name: 'jogador', means: 'Uma identidade em um jogo.' },
    points: { name: 'pontos', means: 'O que os membros têm e com que pagam.' },
    reward: {
      name: 'recompensa',
      means: 'Pontos que uma regra ou um código dá: tempo online, primeira visita, cada dia.',
    },
    rewardCode: { name: 'código de recompensa', means: 'O que um membro resgata por pontos.' },
    gameAgent: { name: 'agente de jogo', means: 'O programa que roda ao lado de um servidor de jogo.' },
    chatTrust: {
      name: 'confiança (no chat de um servidor)',
      means: 'Um proprietário deixa o chat de um servidor gastar pontos de jogadores e vincular contas.',
    },
    chatNewcomer: {
      name: 'novo em um servidor',
      means:
        'Visto lá pela primeira vez há menos de 24 horas: não compra nem vincula pelo chat até ser confirmado.',
    },
    cluster: {
      name: 'servidor, cluster',
      means: 'Um servidor de jogo, e um grupo de servidores relacionados.',
    },
    console: { name: 'console', means: 'Para onde vão os comandos de um jogo.' },
    world: { name: 'mundo', means: 'O que um jogo guarda dos jogadores e das construções.' },
    ban: {
      name: 'banir, expulsar, whitelist',
      means: 'Impedir a entrada de um jogador, tirá-lo de um servidor e listar quem pode entrar.',
    },
    unban: { name: 'desbanir', means: 'Remover um banimento: de todos os servidores dele, ou de um.' },
    inForce: { name: 'em vigor', means: 'O jogo disse que baniu o jogador.' },
    product: { name: 'produto, parte', means: 'O que é vendido, e uma das coisas que ele contém.' },
    order: { name: 'pedido', means: 'Uma compra: cobrada uma vez, com as suas entregas.' },
    delivery: { name: 'entrega', means: 'Uma coisa que um jogo tem de dar.' },
    desk: { name: 'mesa de decisões', means: 'Onde as entregas esperam por uma pessoa.' },
    withdraw: {
      name: 'cancelar o envio',
      means: 'Impedir que um item seja dado antes que os pontos voltem.',
    },
    source: { name: 'origem', means: 'De onde veio um pedido; um teste não é venda.' },
    timedPurchase: {
      name: 'compra por tempo',
      means: 'O que foi comprado por tempo limitado e é removido no fim.',
    },
    season: {
      name: 'temporada, wipe',
      means: 'Um wipe esvazia o mundo de um jogo; uma temporada vem depois.',
    },
    restoreAfterWipe: {
      name: 'restaurar após um wipe',
      means: 'Uma temporada entrega de graça o que o wipe levou.',
    },
    externalShop: {
      name: 'loja externa, pedido externo',
      means: 'Uma loja que recebe dinheiro e informa os seus pedidos.',
    },
    dismiss: { name: 'dispensar', means: 'Uma pessoa decidiu que nada mais é feito a respeito.' },
    discount: { name: 'desconto', means: 'Deixa um pedido mais barato, automaticamente ou por um código.' },
    changes: {
      name: 'alterações',
      means: 'O que seria adicionado, alterado e removido, antes de começar.',
    },
    modChange: { name: 'alteração de mods', means: 'Uma tarefa feita por inteiro, ou não feita.' },
    set: { name: 'conjunto', means: 'Mods que são colocados em vários servidores.' },
    rehearse: {
      name: 'testar em uma cópia',
      means: 'Iniciar os mods novos primeiro em uma cópia do servidor.',
    },
    rollBack: {
      name: 'restaurar os mods antigos',
      means: 'Voltar aos mods antigos porque o jogo não rodou com os novos.',
    },
  },
);
