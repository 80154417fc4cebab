import { plural } from '#contracts/language.ts';
import type { SaveAction } from '#contracts/saves.ts';
import { defineWords } from '../../../language/define-words.ts';

type OfActions = Record<SaveAction, string>;

export const savesWords = defineWords(
  {
    title: 'Backups of the worlds',
    takeNow: 'Back up now',
    take: 'Back up',
    takeQuestion: (server: string) => `Back up the saves of ${server}?`,
    takeText:
      'The game is asked to save, then its worlds are copied on its own machine. It goes on running meanwhile.',
    verdicts: {
      waits: 'Restored. Look at the game, then keep these worlds or undo.',
      nightlyFailed: 'The last nightly backup failed',
      overdue: 'The last backup is more than two days old',
      backedUp: 'Backed up',
      none: 'No backup yet',
      unknown: 'No agent has told of backups yet',
    },
    under: {
      backup: 'A backup is being made',
      restore: 'A backup is being restored',
      undo: 'The restore is being undone',
      confirm: 'The previous worlds are being deleted',
    } satisfies OfActions,
    failed: {
      backup: 'The last backup failed',
      restore: 'The restore failed',
      undo: 'The restore was not undone',
      confirm: 'The previous worlds were not deleted',
    } satisfies OfActions,
    acts: {
      backup: 'Backup',
      restore: 'Restore',
      undo: 'Undoing the restore',
      confirm: 'Keeping the restored worlds',
    } satisfies OfActions,
    steps: {
      waits: 'waiting for the Game Agent',
      looking: 'looking for the worlds',
      saving: 'the game saves',
      copying: 'the worlds are copied',
      unpacking: 'the backup is unpacked and checked',
    },
    by: (name: string) => `asked for by ${name}`,
    figures: (done: string, total: string, percent: number) => `${done} of ${total}, ${percent}%`,
    progress: 'How far it is',
    cancel: 'Cancel',
    cancelled: 'It was cancelled; the agent ends it where it safely can.',
    lastAct: 'Last asked for',
    mayNot: 'You may not back up and restore here: that needs the permission “saves.write”.',
    busy: 'Wait until what is under way has ended.',
    asOf: 'The agent is away. As of',
    last: 'Last backup',
    nightly: 'Nightly backups',
    nightlyOn: (time: string) => `about ${time}, by the clock of the game’s machine`,
    nightlyOff: 'off',
    lastNight: 'Last nightly backup',
    noNight: 'none was due yet',
    nightTaken: 'taken',
    nightFailed: 'failed',
    free: 'Free disk space there',
    notKnown: 'not known',
    setThere: 'Set on the game’s machine',
    offText:
      'Nightly backups are off, and the panel cannot turn them on. Write this into the agent’s config.json there, between the outer braces and with commas between it and its neighbours; the agent takes it up within seconds:',
    onText:
      'Nightly backups are on, and the panel cannot turn them off. To change them, look for this in the agent’s config.json there; the agent takes a change up within seconds:',
    where: 'The file, unless the agent was given another folder:',
    onLinux: 'Linux',
    onWindows: 'Windows',
    keeping:
      'The newest 7 backups stay. Those older than 30 days go one at a time, but the newest 3 always stay. “keep” and “days” beside it change that.',
    copySetting: 'Copy the setting',
    copyPath: 'Copy the path',
    list: 'Backups',
    empty: 'There is no backup yet',
    emptyText:
      'A backup is a copy of the worlds, on the game’s machine, that you can restore from here. Press “Back up now” to make the first one.',
    emptyMayNot: 'Someone with the permission “saves.write” can make the first one.',
    when: 'Taken',
    worlds: 'Worlds',
    onDisk: 'On the disk',
    files: 'Files',
    act: 'What you can do',
    fileCount: (count: number) => plural.en(count, 'file', 'files'),
    onDiskOf: (bytes: string) => `${bytes} on the disk`,
    noteCount: (count: number) => plural.en(count, 'note', 'notes'),
    notesOf: 'Notes of this backup:',
    notes: {
      dead: (since: string) =>
        `The game answers, but no file of these worlds has changed since ${since}: it may keep its worlds elsewhere. Name their folder in the agent's config.json as saves.from.`,
      links: (files: string) => `These are links and were left out: ${files}.`,
      unnamed: (files: string) =>
        `These files are missing, because their names are not UTF-8 or too long: ${files}.`,
      locked: (files: string) => `The game let nobody read these files, and they are missing: ${files}.`,
      changed: (files: string) =>
        `The game wrote to these files while they were copied, so they may not be whole: ${files}.`,
      wentOn: (reply: string) =>
        `The game did not stop saving, so it may have written to files while they were copied. ${reply}`,
      notSaved: (reply: string) =>
        `The game did not save first; the backup holds what was on the disk. ${reply}`,
      unproven: (reply: string) =>
        `The game did not say that it saved first; the backup may hold what was on the disk before. ${reply}`,
      notAsked: () => 'The game could not be asked to save first; the backup holds what was on the disk.',
      noCommand: () => 'The game has no command that saves; the backup holds what was on the disk.',
      autosaveOff: () => 'The game did not save by itself before the backup, and still does not.',
      stillPaused: () =>
        'After the backup, the game could not be told to save by itself again; the agent goes on trying.',
      setAside: (folders: string) =>
        `What was restored, with what the game wrote since, stays on its machine until you decide about the next restore: ${folders}`,
      noWorld: (folder: string) =>
        `No saved world was found in ${folder}. Name its folder in the agent’s config.json as saves.from.`,
      diskFull: () => 'The disk is full. Make room there and try again.',
      cutOff: () => 'The agent ended during the backup. Start it again.',
      unsaid: (count: string) =>
        `There is more to know about this backup (${count}). Read it on the game’s machine: castellan-agent saves list`,
      more: (count: string) => `and ${count} more`,
    },
    restored: 'Restored',
    waiting: 'waits for your decision',
    restoreOf: (time: string) => `Restore the backup of ${time}`,
    restore: 'Restore',
    restoreText: (server: string) =>
      `The worlds of ${server} are replaced by those of this backup. What was played after it was taken is not in them.`,
    keptText:
      'The present worlds are kept beside them until you have looked at the game and decided. The disk needs room for both.',
    undo: 'Undo the restore',
    undoText: (server: string) =>
      `The worlds that ${server} had before the restore come back. What was played since the restore is not in them.`,
    asideText:
      'The restored worlds stay on the game’s machine, out of the game’s sight, until you decide about the next restore. The backup stays, too.',
    backupStays: 'The backup itself stays.',
    keep: 'Keep these worlds',
    keepQuestion: 'Keep the restored worlds?',
    keepText:
      'The worlds from before the restore are deleted for good, and what an earlier undo has left. After that the restore cannot be undone.',
    keepAct: 'Delete the old worlds',
    decide: 'A restore waits for your decision',
    decideFirst: 'Another backup can be restored once you have decided about the last restore.',
    decideText: (time: string) =>
      `The backup of ${time} was restored. Start the game and look at it: then keep these worlds, or undo the restore and have the previous ones again.`,
    typeName: 'To go on, type the name of the server:',
    nameDiffers: 'That is not the name of this server.',
    stopFirst: 'Stop the server …',
    toPower: 'Start or stop the server',
    stopByHand: 'The panel cannot stop this server. Stop it on its machine.',
    mayNotStop: 'Ask someone with the permission “servers.power” to stop it.',
    toAgent: 'To the server’s Game Agent',
    beingStopped: 'The server is being stopped. This goes on as soon as it is down.',
  },
  {
    title: 'Backups dos mundos',
    takeNow: 'Fazer backup agora',
    take: 'Fazer backup',
    takeQuestion: (server: string) => `Fazer backup dos mundos de ${server}?`,
    takeText:
      'O jogo é orientado a salvar e depois os mundos são copiados na própria máquina dele. Ele continua em execução.',
    verdicts: {
      waits: 'Restaurado. Confira o jogo e depois mantenha estes mundos ou desfaça.',
      nightlyFailed: 'O último backup noturno falhou',
      overdue: 'O último backup tem mais de dois dias',
      backedUp: 'Com backup',
      none: 'Nenhum backup ainda',
      unknown: 'Nenhum agente informou backups ainda',
    },
    under: {
      backup: 'Um backup está sendo feito',
      restore: 'Um backup está sendo restaurado',
      undo: 'A restauração está sendo desfeita',
      confirm: 'Os mundos de antes estão sendo apagados',
    },
    failed: {
      backup: 'O último backup falhou',
      restore: 'A restauração falhou',
      undo: 'A restauração não foi desfeita',
      confirm: 'Os mundos de antes não foram apagados',
    },
    acts: {
      backup: 'Backup',
      restore: 'Restauração',
      undo: 'Desfazer a restauração',
      confirm: 'Manter os mundos restaurados',
    },
    steps: {
      waits: 'esperando pelo agente de jogo',
      looking: 'procurando os mundos',
      saving: 'o jogo está salvando',
      copying: 'copiando os mundos',
      unpacking: 'descompactando e conferindo o backup',
    },
    by: (name: string) => `pedido por ${name}`,
    figures: (done: string, total: string, percent: number) => `${done} de ${total}, ${percent}%`,
    progress: 'Andamento',
    cancel: 'Cancelar',
    cancelled: 'Foi cancelado; o agente para onde for seguro.',
    lastAct: 'Último pedido',
    mayNot: 'Você não pode fazer backup nem restaurar aqui: isso exige a permissão “saves.write”.',
    busy: 'Espere terminar o que está em andamento.',
    asOf: 'O agente está ausente. Situação de',
    last: 'Último backup',
    nightly: 'Backups noturnos',
    nightlyOn: (time: string) => `por volta das ${time}, pelo relógio da máquina do jogo`,
    nightlyOff: 'desligados',
    lastNight: 'Último noturno',
    noNight: 'nenhum era devido ainda',
    nightTaken: 'feito',
    nightFailed: 'falhou',
    free: 'Espaço livre no disco',
    notKnown: 'não se sabe',
    setThere: 'Definido na máquina do jogo',
    offText:
      'Os backups noturnos estão desligados, e o painel não pode ligá-los. Escreva isto no config.json do agente, nessa máquina, entre as chaves de fora e com vírgulas entre ele e os vizinhos; o agente passa a usar em segundos:',
    onText:
      'Os backups noturnos estão ligados, e o painel não pode desligá-los. Para mudar, procure isto no config.json do agente, nessa máquina; o agente passa a usar a mudança em segundos:',
    where: 'O arquivo, se o agente não recebeu outra pasta:',
    onLinux: 'No Linux',
    onWindows: 'No Windows',
    keeping:
      'Ficam os 7 backups mais novos. Os de mais de 30 dias saem um por vez, mas os 3 mais novos sempre ficam. “keep” e “days” ao lado mudam isso.',
    copySetting: 'Copiar a configuração',
    copyPath: 'Copiar o caminho',
    list: 'Backups',
    empty: 'Ainda não há backup',
    emptyText:
      'Um backup é uma cópia dos mundos, na máquina do jogo, que você pode restaurar daqui. Clique em “Fazer backup agora” para fazer o primeiro.',
    emptyMayNot: 'Alguém com a permissão “saves.write” pode fazer o primeiro.',
    when: 'Feito',
    worlds: 'Mundos',
    onDisk: 'No disco',
    files: 'Arquivos',
    act: 'O que você pode fazer',
    fileCount: (count: number) => plural.pt(count, 'arquivo', 'arquivos'),
    onDiskOf: (bytes: string) => `${bytes} no disco`,
    noteCount: (count: number) => plural.pt(count, 'observação', 'observações'),
    notesOf: 'Observações deste backup:',
    notes: {
      dead: (since: string) =>
        `O jogo responde, mas nenhum arquivo destes mundos mudou desde ${since}: ele pode guardar os mundos em outro lugar. Indique a pasta deles no config.json do agente como saves.from.`,
      links: (files: string) => `Estes são links e ficaram de fora: ${files}.`,
      unnamed: (files: string) =>
        `Estes arquivos faltam, porque seus nomes não são UTF-8 ou são longos demais: ${files}.`,
      locked: (files: string) => `O jogo não deixou ninguém ler estes arquivos, e eles faltam: ${files}.`,
      changed: (files: string) =>
        `O jogo gravou nestes arquivos enquanto eram copiados, então podem não estar inteiros: ${files}.`,
      wentOn: (reply: string) =>
        `O jogo não parou de salvar, então pode ter gravado em arquivos enquanto eram copiados. ${reply}`,
      notSaved: (reply: string) => `O jogo não salvou antes; o backup tem o que estava no disco. ${reply}`,
      unproven: (reply: string) =>
        `O jogo não disse que salvou antes; o backup pode ter o que já estava no disco. ${reply}`,
      notAsked: () =>
        'Não foi possível pedir ao jogo que salvasse antes; o backup tem o que estava no disco.',
      noCommand: () => 'O jogo não tem comando para salvar; o backup tem o que estava no disco.',
      autosaveOff: () => 'O jogo não salvava sozinho antes do backup e continua sem salvar.',
      stillPaused: () =>
        'Depois do backup, não foi possível dizer ao jogo que volte a salvar sozinho; o agente continua tentando.',
      setAside: (folders: string) =>
        `O que foi restaurado, com o que o jogo gravou desde então, fica na máquina dele até você decidir sobre a próxima restauração: ${folders}`,
      noWorld: (folder: string) =>
        `Nenhum mundo salvo foi encontrado em ${folder}. Informe a pasta dele no config.json do agente como saves.from.`,
      diskFull: () => 'O disco está cheio. Libere espaço nele e tente de novo.',
      cutOff: () => 'O agente terminou durante o backup. Faça-o de novo.',
      unsaid: (count: string) =>
        `Há mais a saber sobre este backup (${count}). Leia na máquina do jogo: castellan-agent saves list`,
      more: (count: string) => `e mais ${count}`,
    },
    restored: 'Restaurado',
    waiting: 'espera sua decisão',
    restoreOf: (time: string) => `Restaurar o backup de ${time}`,
    restore: 'Restaurar',
    restoreText: (server: string) =>
      `Os mundos de ${server} são substituídos pelos deste backup. O que foi jogado depois dele não está neles.`,
    keptText:
      'Os mundos de agora ficam guardados ao lado até você conferir o jogo e decidir. O disco precisa de espaço para os dois.',
    undo: 'Desfazer a restauração',
    undoText: (server: string) =>
      `Os mundos que ${server} tinha antes da restauração voltam. O que foi jogado desde a restauração não está neles.`,
    asideText:
      'Os mundos restaurados ficam na máquina do jogo, fora da vista dele, até você decidir sobre a próxima restauração. O backup também fica.',
    backupStays: 'O backup em si continua guardado.',
    keep: 'Manter estes mundos',
    keepQuestion: 'Manter os mundos restaurados?',
    keepText:
      'Os mundos de antes da restauração são apagados para sempre, e o que sobrou se outra foi desfeita antes. Depois disso, ela não pode ser desfeita.',
    keepAct: 'Apagar os mundos antigos',
    decide: 'Uma restauração espera sua decisão',
    decideFirst: 'Outro backup pode ser restaurado quando você tiver decidido sobre a última restauração.',
    decideText: (time: string) =>
      `O backup de ${time} foi restaurado. Ligue o jogo e confira: depois mantenha estes mundos, ou desfaça a restauração e tenha os de antes de volta.`,
    typeName: 'Para continuar, digite o nome do servidor:',
    nameDiffers: 'Este não é o nome deste servidor.',
    stopFirst: 'Desligar o servidor …',
    toPower: 'Ligar ou desligar o servidor',
    stopByHand: 'O painel não consegue desligar este servidor. Desligue-o na máquina dele.',
    mayNotStop: 'Peça a alguém com a permissão “servers.power” que o desligue.',
    toAgent: 'Ao agente deste servidor',
    beingStopped: 'O servidor está sendo desligado. Isto continua assim que ele parar.',
  },
);
