import type { modProblems } from '../mods.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const modProblemsPtBr: Readonly<Record<keyof typeof modProblems, ProblemTexts>> = {
  MODS_AGENT_AWAY: {
    title: 'Agente de jogo não conectado',
    meaning: 'Os mods são alterados por um agente de jogo, e nenhum está conectado para este servidor.',
    remedy: 'Inicie o agente de jogo do servidor, ou configure um.',
  },
  MODS_AGENT_TOO_OLD: {
    title: 'Agente de jogo desatualizado',
    meaning: 'Esta versão do agente de jogo não consegue alterar mods.',
    remedy: 'Instale o agente de jogo que vem com esta versão do Castellan.',
  },
  MODS_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina do jogo não permite que o Castellan altere os mods.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e permita alterações de mods.',
  },
  MODS_NO_FOLDER: {
    title: 'Pasta do servidor desconhecida',
    meaning: 'O agente de jogo não conhece a pasta do servidor de jogo.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e informe a pasta.',
  },
  MODS_NO_LOADER: {
    title: 'Sem carregador de mods',
    meaning: 'Este servidor de Minecraft não tem carregador de mods, por isso não aceita mods nem plugins.',
    remedy: 'Primeiro instale Fabric, Quilt, Forge, NeoForge ou Paper no servidor.',
  },
  MODS_NO_MARK: {
    title: 'Comando de início sem mods',
    meaning: 'O jogo recebe os mods pelo comando de início, que não tem lugar para eles.',
    remedy: 'Acrescente `{mods}` ao comando de início no config.json do agente de jogo, como `-mods={mods}`.',
  },
  MODS_FOLDER_READ_ONLY: {
    title: 'A pasta do servidor é somente leitura',
    meaning: 'O Castellan não consegue gravar mods na pasta do servidor de jogo.',
    remedy: 'Dê à conta do agente de jogo permissão para gravar nessa pasta.',
  },
  MODS_GAME_RUNNING: {
    title: 'O jogo está rodando',
    meaning: 'O jogo está rodando, e o Castellan não tem permissão para desligá-lo e ligá-lo.',
    remedy: 'Desligue o jogo e tente de novo, ou permita que o Castellan o ligue e desligue.',
  },
  MODS_BUSY: {
    title: 'Outra alteração de mods em andamento',
    meaning: 'Os mods deste servidor já estão sendo alterados. Nada mais foi alterado.',
    remedy: 'Espere até que termine, ou cancele.',
  },
  MODS_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A alteração terminou, ou os arquivos já estão sendo substituídos.',
    remedy: 'Espere até que termine e depois desfaça.',
  },
  MOD_PLAN_OUTDATED: {
    title: 'Prévia desatualizada',
    meaning: 'Os mods do servidor mudaram desde a prévia, ou ela tem mais de 30 minutos.',
    remedy: 'Confira a nova prévia e tente de novo.',
  },
  MOD_PLAN_BLOCKED: {
    title: 'Alterações não são possíveis',
    meaning: 'Algo impede as alterações, como um conflito ou um arquivo a baixar manualmente.',
    remedy: 'Resolva os problemas indicados na prévia.',
  },
  MOD_JOB_NOT_UNDOABLE: {
    title: 'Não é possível desfazer',
    meaning: 'A alteração não aconteceu, ou os mods foram alterados de novo depois.',
    remedy: 'Primeiro desfaça a alteração mais recente, ou escolha as versões manualmente.',
  },
  MOD_UPLOAD_INCOMPLETE: {
    title: 'Envio incompleto',
    meaning: 'Faltam partes do arquivo enviado.',
    remedy: 'Envie o arquivo de novo.',
  },
  MOD_UPLOAD_OUT_OF_ORDER: {
    title: 'Envio fora de ordem',
    meaning: 'Uma parte do envio não segue a anterior.',
    remedy: 'Continue depois da última parte recebida, ou envie o arquivo de novo.',
  },
  MOD_UPLOAD_BUSY: {
    title: 'Envio em uso',
    meaning: 'Outro processo da API está gravando uma parte deste envio.',
    remedy: 'Envie a parte de novo depois de alguns segundos.',
  },
  MOD_UPLOAD_IN_USE: {
    title: 'Envio necessário',
    meaning: 'Uma alteração de mods precisa do arquivo enviado.',
    remedy: 'Espere até que a alteração termine, ou cancele-a primeiro.',
  },
  MOD_UPLOADS_FULL: {
    title: 'Sem espaço para envios',
    meaning: 'Os mods enviados ocupam o espaço que todos juntos podem ocupar, ou o disco.',
    remedy:
      'Espere até que os envios atuais cheguem aos servidores, cancele os que não são necessários, ou libere espaço em disco.',
  },
  MOD_UPLOAD_LIMIT: {
    title: 'Envios demais',
    meaning: 'Os envios de mods de uma pessoa, ou os de um servidor, já ocupam o que podem ocupar.',
    remedy: 'Conclua ou cancele um deles primeiro.',
  },
  MOD_SOURCE_AWAY: {
    title: 'A fonte de mods não está respondendo',
    meaning: 'Não foi possível alcançar a fonte de mods, ou ler a resposta dela.',
    remedy: 'Tente de novo mais tarde. Os mods instalados continuam funcionando.',
  },
  MOD_SOURCE_LIMITED: {
    title: 'Limite de consultas atingido',
    meaning: 'A fonte de mods não aceita mais consultas por um tempo.',
    remedy: 'Tente de novo em alguns minutos. Os mods instalados continuam funcionando.',
  },
  MOD_SOURCE_NO_KEY: {
    title: 'Falta a chave de API',
    meaning: 'O CurseForge exige uma chave de API sua.',
    remedy: 'Crie uma chave em console.curseforge.com e informe-a em Configurações, Serviços externos.',
  },
  MOD_SOURCE_KEY_REFUSED: {
    title: 'Chave de API rejeitada',
    meaning: 'O CurseForge não aceita a sua chave de API.',
    remedy: 'Compare a chave em Configurações, Serviços externos, com a de console.curseforge.com.',
  },
};
