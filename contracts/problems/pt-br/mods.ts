import type { modProblems } from '../mods.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const modProblemsPtBr: Readonly<Record<keyof typeof modProblems, ProblemTexts>> = {
  MODS_AGENT_AWAY: {
    title: 'Sem agente de jogo',
    meaning: 'Só um agente ao lado do jogo pode alterar os mods, e nenhum está conectado a este servidor.',
    remedy: 'Instale um agente para o servidor ou inicie o que já existe.',
  },
  MODS_AGENT_TOO_OLD: {
    title: 'Agente de jogo antigo demais',
    meaning: 'O agente deste servidor ainda não sabe alterar mods.',
    remedy: 'Instale o agente que esta versão do Castellan oferece.',
  },
  MODS_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina em que o jogo roda não deixa o Castellan alterar os mods.',
    remedy:
      'Execute `castellan-agent setup` nessa máquina e permita, ou defina `"allow": { "mods": true }` no config.json do agente.',
  },
  MODS_NO_FOLDER: {
    title: 'Pasta do servidor desconhecida',
    meaning: 'Nada na máquina do jogo diz onde fica o servidor.',
    remedy: 'Execute `castellan-agent setup` nessa máquina.',
  },
  MODS_NO_LOADER: {
    title: 'Sem carregador de mods',
    meaning: 'Este servidor de Minecraft roda sem carregador: não aceita mods nem plugins.',
    remedy: 'Antes, instale Fabric, Quilt, Forge, NeoForge ou Paper no servidor.',
  },
  MODS_NO_MARK: {
    title: 'Sem lugar para mods no comando de início',
    meaning: 'O jogo recebe os mods pelo comando de início, e o comando não tem lugar para eles.',
    remedy:
      'Coloque `{mods}` onde a lista deve ficar no comando de início do config.json do agente, como `-mods={mods}`.',
  },
  MODS_FOLDER_READ_ONLY: {
    title: 'Não é possível gravar na pasta do servidor',
    meaning: 'O agente não pode gravar na pasta do servidor de jogo.',
    remedy: 'Dê à conta do agente o direito de gravar ali; o detalhe diz qual é a pasta.',
  },
  MODS_GAME_RUNNING: {
    title: 'O jogo está rodando',
    meaning: 'O jogo está rodando, e nada na máquina deixa o Castellan desligá-lo e ligá-lo.',
    remedy: 'Desligue o jogo e tente de novo, ou permita que o Castellan o ligue e desligue.',
  },
  MODS_BUSY: {
    title: 'Outra alteração de mods em andamento',
    meaning: 'Os mods deste servidor já estão sendo alterados.',
    remedy: 'Espere até que termine, ou cancele; nada foi feito.',
  },
  MODS_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A alteração terminou, ou os novos arquivos já estão assumindo os lugares.',
    remedy: 'Espere o fim; depois desfaça, se não a quiser.',
  },
  MOD_PLAN_OUTDATED: {
    title: 'O plano está desatualizado',
    meaning: 'Os mods do servidor mudaram desde que o plano foi feito, ou ele tem mais de 30 minutos.',
    remedy: 'Faça o plano de novo e confira-o.',
  },
  MOD_PLAN_BLOCKED: {
    title: 'O plano não pode ser executado',
    meaning: 'Algo impede o plano, como um conflito ou um arquivo que precisa ser baixado à mão.',
    remedy: 'O plano diz cada obstáculo e o que o remove.',
  },
  MOD_JOB_NOT_UNDOABLE: {
    title: 'Não é possível desfazer',
    meaning: 'A alteração não aconteceu, ou os mods foram alterados de novo depois.',
    remedy: 'Antes, desfaça a alteração mais recente, ou escolha as versões à mão.',
  },
  MOD_UPLOAD_INCOMPLETE: {
    title: 'O envio não está completo',
    meaning: 'Faltam partes do arquivo enviado.',
    remedy: 'Envie o arquivo de novo.',
  },
  MOD_UPLOAD_OUT_OF_ORDER: {
    title: 'Parte de um envio fora de ordem',
    meaning: 'As partes de um envio vêm uma após a outra, e esta não segue a última.',
    remedy: 'Continue de onde `received` diz.',
  },
  MOD_UPLOADS_FULL: {
    title: 'Sem espaço para envios',
    meaning: 'Os mods enviados ocupam todo o espaço reservado para eles.',
    remedy: 'Espere até que os envios em andamento cheguem aos servidores, ou dê mais espaço ao disco.',
  },
  MOD_SOURCE_AWAY: {
    title: 'A fonte não responde',
    meaning: 'A fonte de mods não pode ser alcançada, ou o que ela responde não faz sentido.',
    remedy: 'Tente mais tarde; o que está instalado continua funcionando.',
  },
  MOD_SOURCE_LIMITED: {
    title: 'A fonte pede uma pausa',
    meaning: 'A fonte de mods não aceita mais perguntas por um tempo.',
    remedy: 'Espere o tempo que Retry-After diz.',
  },
  MOD_SOURCE_NO_KEY: {
    title: 'Sem chave para esta fonte',
    meaning: 'O CurseForge só responde com uma chave sua, e não há nenhuma nas configurações.',
    remedy: 'Obtenha uma chave em console.curseforge.com e coloque-a em Configurações, Mods.',
  },
  MOD_SOURCE_KEY_REFUSED: {
    title: 'A chave foi recusada',
    meaning: 'O CurseForge não aceita a chave das configurações.',
    remedy: 'Compare a chave em Configurações, Mods, com console.curseforge.com.',
  },
};
