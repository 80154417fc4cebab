import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';
import type { SaveAction } from '#contracts/servers/saves.ts';

type OfActions = Record<SaveAction, string>;

export const savesWords = defineWords(
  {
    title: 'World backups',
    takeNow: 'Back up now',
    take: 'Back up',
    takeQuestion: (server: string) => `Back up the worlds of ${server}?`,
    takeText:
      'The game saves, then the Game Agent copies its worlds on the game’s machine. The game keeps running.',
    verdicts: {
      waits: 'Restored. Check the game, then keep these worlds or undo.',
      nightlyFailed: 'The last nightly backup failed',
      overdue: 'The last backup is more than two days old',
      datedAhead: 'A backup is dated later than now. Check the clock of the game’s machine.',
      backedUp: 'Backed up',
      none: 'No backup yet',
      unknown: 'No Game Agent has reported backups yet',
    },
    under: {
      backup: 'Creating backup',
      restore: 'Restoring backup',
      undo: 'Undoing the restore',
      confirm: 'Deleting the previous worlds',
    } satisfies OfActions,
    failed: {
      backup: 'The last backup failed',
      restore: 'The restore failed',
      undo: 'Undoing the restore failed',
      confirm: 'Deleting the previous worlds failed',
    } satisfies OfActions,
    acts: {
      backup: 'Backup',
      restore: 'Restore',
      undo: 'Undo restore',
      confirm: 'Keep restored worlds',
    } satisfies OfActions,
    steps: {
      waits: 'Waiting for the Game Agent',
      looking: 'Looking for the worlds',
      saving: 'The game is saving',
      copying: 'Copying the worlds',
      unpacking: 'Unpacking and checking the backup',
    },
    by: (name: string) => `requested by ${name}`,
    figures: (done: string, total: string, percent: number) => `${done} of ${total}, ${percent}%`,
    progress: 'Progress',
    cancel: 'Cancel',
    cancelled: 'Cancelled. The Game Agent stops as soon as it is safe.',
    lastAct: 'Last action',
    mayNot: 'You don’t have permission to back up and restore worlds here (“saves.write”).',
    busy: 'Wait until the current action finishes.',
    asOf: 'The Game Agent is offline. As of',
    last: 'Last backup',
    nightly: 'Nightly backups',
    nightlyOn: (time: string) => `Around ${time}, by the clock of the game’s machine`,
    nightlyOff: 'Off',
    lastNight: 'Last nightly backup',
    noNight: 'None due yet',
    nightTaken: 'Created',
    nightFailed: 'Failed',
    free: 'Free disk space',
    notKnown: 'Unknown',
    setThere: 'Set on the game’s machine',
    offText:
      'Nightly backups are off. To turn them on, add this to the Game Agent’s config.json on that machine, inside the outer braces and separated by commas. It applies within seconds:',
    onText:
      'Nightly backups are on. To change them, edit this in the Game Agent’s config.json on that machine. It applies within seconds:',
    where: 'Default location of the file:',
    onLinux: 'Linux',
    onWindows: 'Windows',
    keeping:
      'The Game Agent keeps the newest 7 backups and deletes those older than 30 days, but never the newest 3. Change this with “keep” and “days”.',
    copySetting: 'Copy setting',
    copyPath: 'Copy path',
    list: 'Backups',
    empty: 'No backups yet',
    emptyText: 'A backup is a copy of the worlds on the game’s machine. You can restore it from here.',
    emptyMayNot: 'Ask an admin with the permission “saves.write” to create the first one.',
    when: 'Created',
    worlds: 'Worlds',
    onDisk: 'Size on disk',
    files: 'Files',
    act: 'Actions',
    fileCount: (count: number) => plural.en(count, 'file', 'files'),
    onDiskOf: (bytes: string) => `${bytes} on disk`,
    noteCount: (count: number) => plural.en(count, 'note', 'notes'),
    notesOf: 'Notes on this backup:',
    notes: {
      dead: (since: string) =>
        `The game responds, but these worlds have not changed since ${since}. It may store its worlds elsewhere: set saves.from in the Game Agent’s config.json to their folder.`,
      leftOut: (folders: string) => `Folders that look like worlds were skipped: ${folders}.`,
      links: (files: string) => `Links were skipped: ${files}.`,
      unnamed: (files: string) => `Files skipped because their names are too long or not UTF-8: ${files}.`,
      locked: (files: string) => `Files skipped because the game locked them: ${files}.`,
      changed: (files: string) =>
        `The game changed these files during the backup, so they may be incomplete: ${files}.`,
      wentOn: (reply: string) =>
        `The game did not pause saving, so files may have changed during the backup. ${reply}`,
      notSaved: (reply: string) =>
        `The game did not save first, so the backup holds the last saved state. ${reply}`,
      unproven: (reply: string) =>
        `The game did not confirm that it saved first, so the backup may hold an older state. ${reply}`,
      notAsked: () => 'The game could not be asked to save first, so the backup holds the last saved state.',
      noCommand: () => 'The game has no save command, so the backup holds the last saved state.',
      autosaveOff: () => 'Autosave was off before the backup and still is.',
      stillPaused: () =>
        'Autosave could not be turned on again after the backup. The Game Agent keeps trying.',
      setAside: (folders: string) =>
        `The undone worlds stay on the game’s machine until you decide about the next restore: ${folders}`,
      noWorld: (folder: string) =>
        `No saved world found in ${folder}. Set saves.from in the Game Agent’s config.json to its folder.`,
      diskFull: () => 'The disk is full. Free up space and try again.',
      cutOff: () => 'The Game Agent stopped during the backup. Start the backup again.',
      unsaid: (count: string) =>
        `There are more notes on this backup (${count}). On the game’s machine, run: castellan-agent saves list`,
      more: (count: string) => `and ${count} more`,
    },
    restored: 'Restored',
    datedAhead: 'Wrong date',
    waiting: 'waiting for your decision',
    restoreOf: (time: string) => `Restore the backup from ${time}`,
    restore: 'Restore',
    restoreText: (server: string) =>
      `This backup replaces the worlds of ${server}. Everything played since then is not included.`,
    keptText:
      'The current worlds are kept until you have checked the game and decided. The disk needs space for both.',
    undo: 'Undo restore',
    undoText: (server: string) =>
      `${server} gets back the worlds from before the restore. Everything played since the restore is not included.`,
    asideText:
      'The restored worlds stay on the game’s machine, out of use, until you decide about the next restore. The backup stays too.',
    backupStays: 'The backup stays.',
    keep: 'Keep worlds',
    keepQuestion: 'Keep the restored worlds?',
    keepText:
      'This deletes the worlds from before the restore, and any left from an earlier undo. The restore can then no longer be undone.',
    keepAct: 'Delete old worlds',
    decide: 'A restore is waiting for your decision',
    decideFirst: 'Decide about the last restore before you restore another backup.',
    decideText: (time: string) =>
      `The backup from ${time} was restored. Check the game, then keep these worlds or undo the restore.`,
    typeName: 'Type the server’s name to continue:',
    nameDiffers: 'The name doesn’t match.',
    byItself:
      'Castellan stops the server, restores the worlds and starts it again by itself, even if you close this page.',
    startAfter: 'Start the server afterwards',
    keptWithoutUndo:
      'This Game Agent is too old to undo a restore from here. Update it first, or type the server’s name to go on.',
    runSteps: {
      stopping: 'Step 1 of 3: stopping the server.',
      restoring: 'Step 2 of 3: replacing the worlds.',
      starting: 'Step 3 of 3: starting the server.',
    },
    runGoesOn: 'The restore goes on even if you close this page.',
    runFailed: {
      stopping: 'Not restored: the server could not be stopped',
      restoring: 'Not restored: the worlds could not be replaced',
      starting: 'Restored, but the server could not be started',
    },
    startNow: 'Start server',
    toPower: 'Start or stop server',
    stopByHand: 'Castellan can’t stop this server. Stop it on its machine.',
    mayNotStop: 'Ask an admin with the permission “servers.power” to stop it.',
    toAgent: 'Go to Game Agent',
  },
  {
    title: 'Backups dos mundos',
    takeNow: 'Fazer backup agora',
    take: 'Fazer backup',
    takeQuestion: (server: string) => `Fazer backup dos mundos de ${server}?`,
    takeText:
      'O jogo salva, e depois o agente de jogo copia os mundos na máquina do jogo. O jogo continua rodando.',
    verdicts: {
      waits: 'Restaurado. Confira o jogo e depois mantenha estes mundos ou desfaça.',
      nightlyFailed: 'O último backup noturno falhou',
      overdue: 'O último backup tem mais de dois dias',
      datedAhead: 'Um backup tem uma data no futuro. Confira o relógio da máquina do jogo.',
      backedUp: 'Com backup',
      none: 'Nenhum backup ainda',
      unknown: 'Nenhum agente informou backups ainda',
    },
    under: {
      backup: 'Fazendo backup',
      restore: 'Restaurando backup',
      undo: 'Desfazendo a restauração',
      confirm: 'Apagando os mundos anteriores',
    },
    failed: {
      backup: 'O último backup falhou',
      restore: 'A restauração falhou',
      undo: 'Desfazer a restauração falhou',
      confirm: 'Apagar os mundos anteriores falhou',
    },
    acts: {
      backup: 'Backup',
      restore: 'Restauração',
      undo: 'Desfazer a restauração',
      confirm: 'Manter os mundos restaurados',
    },
    steps: {
      waits: 'Esperando o agente de jogo',
      looking: 'Procurando os mundos',
      saving: 'O jogo está salvando',
      copying: 'Copiando os mundos',
      unpacking: 'Descompactando e conferindo o backup',
    },
    by: (name: string) => `pedido por ${name}`,
    figures: (done: string, total: string, percent: number) => `${done} de ${total}, ${percent}%`,
    progress: 'Andamento',
    cancel: 'Cancelar',
    cancelled: 'Cancelado. O agente de jogo para assim que for seguro.',
    lastAct: 'Última ação',
    mayNot: 'Você não tem permissão para fazer backup nem restaurar mundos aqui (“saves.write”).',
    busy: 'Espere a ação atual terminar.',
    asOf: 'O agente de jogo está offline. Situação de',
    last: 'Último backup',
    nightly: 'Backups noturnos',
    nightlyOn: (time: string) => `Por volta das ${time}, pelo relógio da máquina do jogo`,
    nightlyOff: 'Desligados',
    lastNight: 'Último noturno',
    noNight: 'Ainda não houve',
    nightTaken: 'Feito',
    nightFailed: 'Falhou',
    free: 'Espaço livre no disco',
    notKnown: 'Desconhecido',
    setThere: 'Definido na máquina do jogo',
    offText:
      'Os backups noturnos estão desligados. Para ligá-los, acrescente isto ao config.json do agente de jogo, nessa máquina, dentro das chaves de fora e separado por vírgulas. Vale em segundos:',
    onText:
      'Os backups noturnos estão ligados. Para mudá-los, edite isto no config.json do agente de jogo, nessa máquina. Vale em segundos:',
    where: 'Local padrão do arquivo:',
    onLinux: 'Linux',
    onWindows: 'Windows',
    keeping:
      'O agente de jogo guarda os 7 backups mais novos e apaga os de mais de 30 dias, mas nunca os 3 mais novos. Mude isso com “keep” e “days”.',
    copySetting: 'Copiar configuração',
    copyPath: 'Copiar caminho',
    list: 'Backups',
    empty: 'Nenhum backup ainda',
    emptyText: 'Um backup é uma cópia dos mundos na máquina do jogo. Você pode restaurá-lo daqui.',
    emptyMayNot: 'Peça a um administrador com a permissão “saves.write” que faça o primeiro.',
    when: 'Feito',
    worlds: 'Mundos',
    onDisk: 'Tamanho em disco',
    files: 'Arquivos',
    act: 'Ações',
    fileCount: (count: number) => plural.pt(count, 'arquivo', 'arquivos'),
    onDiskOf: (bytes: string) => `${bytes} em disco`,
    noteCount: (count: number) => plural.pt(count, 'observação', 'observações'),
    notesOf: 'Observações deste backup:',
    notes: {
      dead: (since: string) =>
        `O jogo responde, mas estes mundos não mudaram desde ${since}. Ele pode guardar os mundos em outro lugar: defina saves.from no config.json do agente de jogo com a pasta deles.`,
      leftOut: (folders: string) => `Pastas que parecem mundos foram ignoradas: ${folders}.`,
      links: (files: string) => `Links foram ignorados: ${files}.`,
      unnamed: (files: string) =>
        `Arquivos ignorados porque os nomes são longos demais ou não são UTF-8: ${files}.`,
      locked: (files: string) => `Arquivos ignorados porque o jogo os bloqueou: ${files}.`,
      changed: (files: string) =>
        `O jogo alterou estes arquivos durante o backup, então podem estar incompletos: ${files}.`,
      wentOn: (reply: string) =>
        `O jogo não pausou o salvamento, então arquivos podem ter mudado durante o backup. ${reply}`,
      notSaved: (reply: string) =>
        `O jogo não salvou antes, então o backup tem o último estado salvo. ${reply}`,
      unproven: (reply: string) =>
        `O jogo não confirmou que salvou antes, então o backup pode ter um estado mais antigo. ${reply}`,
      notAsked: () =>
        'Não foi possível pedir ao jogo que salvasse antes, então o backup tem o último estado salvo.',
      noCommand: () => 'O jogo não tem comando para salvar, então o backup tem o último estado salvo.',
      autosaveOff: () => 'O salvamento automático já estava desligado antes do backup e continua assim.',
      stillPaused: () =>
        'Não foi possível religar o salvamento automático depois do backup. O agente de jogo continua tentando.',
      setAside: (folders: string) =>
        `Os mundos desfeitos ficam na máquina do jogo até você decidir sobre a próxima restauração: ${folders}`,
      noWorld: (folder: string) =>
        `Nenhum mundo salvo encontrado em ${folder}. Defina saves.from no config.json do agente de jogo com a pasta dele.`,
      diskFull: () => 'O disco está cheio. Libere espaço e tente de novo.',
      cutOff: () => 'O agente de jogo parou durante o backup. Inicie o backup de novo.',
      unsaid: (count: string) =>
        `Há mais observações sobre este backup (${count}). Na máquina do jogo, execute: castellan-agent saves list`,
      more: (count: string) => `e mais ${count}`,
    },
    restored: 'Restaurado',
    datedAhead: 'Data errada',
    waiting: 'espera sua decisão',
    restoreOf: (time: string) => `Restaurar o backup de ${time}`,
    restore: 'Restaurar',
    restoreText: (server: string) =>
      `Este backup substitui os mundos de ${server}. O que foi jogado desde então não está incluído.`,
    keptText:
      'Os mundos atuais ficam guardados até você conferir o jogo e decidir. O disco precisa de espaço para os dois.',
    undo: 'Desfazer restauração',
    undoText: (server: string) =>
      `${server} recebe de volta os mundos de antes da restauração. O que foi jogado desde a restauração não está incluído.`,
    asideText:
      'Os mundos restaurados ficam na máquina do jogo, fora de uso, até você decidir sobre a próxima restauração. O backup também fica.',
    backupStays: 'O backup continua guardado.',
    keep: 'Manter mundos',
    keepQuestion: 'Manter os mundos restaurados?',
    keepText:
      'Isto apaga os mundos de antes da restauração e os que sobraram de outra desfeita. A restauração não poderá mais ser desfeita.',
    keepAct: 'Apagar mundos antigos',
    decide: 'Uma restauração espera sua decisão',
    decideFirst: 'Decida sobre a última restauração antes de restaurar outro backup.',
    decideText: (time: string) =>
      `O backup de ${time} foi restaurado. Confira o jogo, depois mantenha estes mundos ou desfaça a restauração.`,
    typeName: 'Digite o nome do servidor para continuar:',
    nameDiffers: 'O nome não coincide.',
    byItself:
      'O Castellan desliga o servidor, restaura os mundos e o liga de novo, mesmo que você feche esta página.',
    startAfter: 'Ligar o servidor depois',
    keptWithoutUndo:
      'Este agente de jogo é antigo demais para desfazer uma restauração daqui. Atualize-o antes, ou digite o nome do servidor para continuar.',
    runSteps: {
      stopping: 'Passo 1 de 3: desligando o servidor.',
      restoring: 'Passo 2 de 3: substituindo os mundos.',
      starting: 'Passo 3 de 3: ligando o servidor.',
    },
    runGoesOn: 'A restauração continua mesmo que você feche esta página.',
    runFailed: {
      stopping: 'Não restaurado: não foi possível desligar o servidor',
      restoring: 'Não restaurado: não foi possível substituir os mundos',
      starting: 'Restaurado, mas não foi possível ligar o servidor',
    },
    startNow: 'Ligar o servidor',
    toPower: 'Ligar ou desligar o servidor',
    stopByHand: 'O Castellan não consegue desligar este servidor. Desligue-o na máquina dele.',
    mayNotStop: 'Peça a um administrador com a permissão “servers.power” que o desligue.',
    toAgent: 'Ir para o agente de jogo',
  },
);
