import type { InWords } from '../kernel/words.ts';
import type { healthReasons } from './health-reasons.ts';

/** The sentences of `healthReasons` in Brazilian Portuguese. */
export const healthReasonsPtBr: InWords<typeof healthReasons> = {
  'bot-signed-in': (name) => `Conectado como ${name}.`,
  'bot-no-guild': 'Nenhum servidor do Discord foi escolhido.',
  'bot-on-guild': (guild) => `Trabalha no servidor do Discord ${guild}.`,
  'bot-not-on-guild': (guild) =>
    `Ele não está no servidor do Discord ${guild}. Convide-o pelo link da página Discord do painel, ou corrija o ID do servidor.`,
  'bot-guild-unavailable': (guild) =>
    `O Discord está com problemas no servidor do Discord ${guild}. O bot continua quando ele voltar a ficar disponível.`,
  'bot-signing-in': 'Conectando ao Discord.',
  'bot-reconnecting': 'Reconectando ao Discord.',
  'bot-throttled': (seconds) => `O Discord pede que o bot espere ${seconds} s.`,
  'bot-next-attempt': (seconds) => `Próxima tentativa em ${seconds} s.`,
  'bot-waits-for-settings': 'Esperando a API enviar as configurações.',
  'bot-token-unreadable': 'Não é possível descriptografar o token salvo. Digite-o de novo no painel.',
  'bot-no-token': 'Nenhum token foi definido. Digite um na página Discord do painel.',
  'bot-token-misspelt': 'O token tem caracteres que nenhum token tem. Digite-o de novo no painel.',
  'bot-token-refused':
    'O Discord recusa o token. Crie um novo no portal de desenvolvedores do Discord e digite-o na página Discord do painel.',
  'bot-shard-refused': 'O Discord recusa o shard deste bot.',
  'bot-too-many-guilds': 'Este bot está em servidores do Discord demais para uma só conexão.',
  'bot-version-refused': 'O Discord não aceita mais a versão que este bot usa. Atualize o Castellan.',
  'bot-intents-unknown': 'O Discord não conhece os intents que este bot pede. Atualize o Castellan.',
  'bot-intents-off':
    'Faltam intents privilegiados ao bot. Ative SERVER MEMBERS INTENT e MESSAGE CONTENT INTENT para a aplicação no portal de desenvolvedores do Discord e tente de novo na página Discord do painel.',
  'bot-sign-ins-used-up': 'O Discord não permite mais conexões por enquanto.',
  'bot-not-reported': 'O bot ainda não deu notícias.',
  'bot-silent': (seconds) => `O bot não dá notícias há ${seconds} s.`,
  'bot-starting': 'O bot está iniciando.',
  'bot-stopped': 'O bot foi parado.',
  'bot-frozen': 'O bot não responde. O Castellan o reinicia automaticamente.',
  'bot-crashed': (why) => `O bot caiu e está sendo iniciado de novo: ${why}`,
  'bot-given-up': (why) => `O bot não inicia: ${why}`,
  'supervisor-silent': (seconds) => `Não há notícias do processo do bot há ${seconds} s.`,
  'bot-requests-wait': (count, seconds) =>
    `Solicitações que esperam pelo Discord: ${count}. A mais antiga espera há ${seconds} s.`,
  'bot-channels-fail': (count) => `Canais em que as mensagens falham: ${count}.`,
  'bot-last-error': (error) => `Último erro: ${error}`,
  'discord-unreachable': 'Não é possível alcançar o Discord.',
  'discord-closes': (code) => `O Discord fecha a conexão repetidamente (código ${code}).`,
  'discord-strange': (status) =>
    `O que respondeu não é o Discord, ou o Discord está com problemas (HTTP ${status}).`,

  'license-unconfirmed': 'O portal não confirmou a licença.',
  'license-grace-hours': (hours) => `Sem isso, o Castellan recusa todas as solicitações em ${hours} h.`,
  'license-grace-days': (days) => `Sem isso, o Castellan recusa todas as solicitações em ${days} dias.`,
  'certificate-ends-hours': (hours) =>
    `O certificado TLS vence em ${hours} h, e depois navegadores e agentes recusam a conexão. Renove-o agora.`,
  'certificate-ends-days': (days) =>
    `O certificado TLS vence em ${days} dias. Renove-o; os novos arquivos são usados sem reinício.`,
  'certificate-ended': (day) =>
    `O certificado TLS venceu em ${day}, e por isso navegadores e agentes recusam a conexão. Renove-o; os novos arquivos são usados sem reinício.`,
  'certificate-ahead': (day) =>
    `O certificado TLS só é válido a partir de ${day}. Espere até lá, use outro ou corrija o relógio deste computador.`,
  'certificate-name': (host) =>
    `O certificado TLS não é válido para ${host}, o endereço público. Obtenha um para esse nome ou corrija o endereço público.`,
  'certificate-unusable': (why) => `Os arquivos do certificado TLS não podem ser usados: ${why}`,
  'license-ends-hours': (hours) => `A licença termina em ${hours} h. Renove-a na área do cliente.`,

  'needs-database': 'Precisa do banco de dados.',
  'no-worker': 'Ninguém processa as tarefas.',
  'no-servers-yet': 'Ainda não há servidores de jogo.',
  'agents-silent-more': (names, more) => `Sem notícias de: ${names} e mais ${more}.`,
  'agents-silent': (names) => `Sem notícias de: ${names}.`,
  'secrets-unreadable': (count) =>
    `Segredos que não podem ser lidos: ${count}. Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS.`,
  'secrets-on-old-keys': (count) =>
    `Segredos ainda criptografados com uma chave antiga: ${count}. O Castellan guarda essa chave até que eles sejam salvos ou criptografados de novo.`,
  'key-record-damaged': (copy) =>
    `O arquivo encryption-keys.json estava danificado. O Castellan o gravou de novo com as chaves que conseguiu ler e guarda o danificado como ${copy}.`,
  'key-record-unusable': (why) =>
    `O arquivo encryption-keys.json não pode ser usado. Não troque CONFIG_ENCRYPTION_KEY antes de corrigir isto: ${why}`,
  'secrets-damaged': (count) => `Segredos danificados: ${count}. Digite-os de novo.`,
  'ends-not-followed': 'Os términos ainda não são acompanhados.',
  'ends-silent': (seconds) => `Os términos não são acompanhados há ${seconds} s.`,
  'ends-overdue': (count) => `Términos e renovações atrasados: ${count}.`,
  'ends-for-person': (count) => `Términos que esperam por uma pessoa: ${count}.`,
  'deliveries-paused': 'As entregas estão pausadas.',
  'bans-not-brought': 'Os banimentos ainda não são enviados aos servidores.',
  'bans-silent': (seconds) => `Nenhum banimento foi enviado aos servidores há ${seconds} s.`,
  'bans-overdue': (count) => `Banimentos e desbanimentos que ainda não chegaram aos servidores: ${count}.`,
  'oldest-hours': (hours) => `O mais antigo espera há ${hours} h.`,
  'oldest-days': (days) => `O mais antigo espera há ${days} dias.`,
  'on-servers': (names) => `Servidores: ${names}.`,
  'refused-by-game': (count) => `Recusados pelo jogo: ${count}.`,

  'disk-left': (path, left) => `O disco de ${path} tem ${left} livres.`,
  'disk-low':
    'Libere espaço nesse disco, ou mova a pasta de dados para um maior, antes que o banco de dados precise parar.',
  'disk-short':
    'Libere espaço nesse disco agora. O banco de dados para quando ele encher, e nenhum backup é mais feito.',
  'disk-unlockable': (path) =>
    `A pasta de dados ${path} não pode ser bloqueada, então nada impede outro sistema de usá-la ao mesmo tempo. Mova-a para um disco local; no Linux é preciso o programa flock. A próxima versão não vai iniciar ali.`,
  'folder-foreign': (account, path, command) =>
    `A conta ${account} pode mudar ${path} e, com isso, o que o Castellan faz. Se não for essa a intenção, execute: ${command}`,
  'folder-open': (path, command) =>
    `Outras contas podem mudar ${path} e, com isso, o que o Castellan faz. Se não for essa a intenção, execute: ${command}`,
  'disk-full': 'Nada pode ser salvo até haver espaço nesse disco. Depois o Castellan continua sozinho.',
  'disk-needs': (what, needed, path, free) =>
    `${what} precisa de ${needed} no disco de ${path}, e há ${free} livres.`,
  'disk-make-room': 'Libere espaço ali, ou escolha outro disco.',
  'a-backup': 'Um backup',
  'the-copy': 'A cópia',

  'backup-none': 'Ainda não há backup.',
  'backup-fresh': 'O backup mais recente tem menos de uma hora.',
  'backup-hour': 'O backup mais recente tem 1 hora.',
  'backup-hours': (hours) => `O backup mais recente tem ${hours} horas.`,
  'backup-days': (days) => `O backup mais recente tem ${days} dias.`,
  'backup-failed': (why) => `O último backup falhou: ${why}`,
  'backup-no-fit': (folder) => `O backup não coube: o disco de ${folder} está cheio. Libere espaço ali.`,
  'backup-under-way': 'Outro backup está sendo feito. Espere até que termine.',
  'backup-silent': (seconds) => `O Postgres não responde há ${seconds} s, e o backup foi abandonado.`,
  'folder-silent': (folder) => `A pasta ${folder} não responde. A unidade de rede está conectada?`,
  'backup-stalled': (folder, seconds) =>
    `A pasta ${folder} deixou de responder: por ${seconds} s nada pôde ser lido ou gravado nela. Verifique o disco ou a unidade de rede.`,
  'backup-overtaken': (reused, needed) =>
    `O backup não serve: tanto foi gravado nesse meio-tempo que o Postgres reutilizou ${reused} de ${needed} segmentos do registro. Faça-o de novo em um momento mais calmo.`,
  'backup-out-of-reach':
    'Os arquivos deste banco de dados não podem ser lidos daqui. Faça o backup na máquina em que ele roda.',
  'backup-not-held': (why) => `O backup não resistiu ao teste: ${why}`,
  'backup-ahead': (name) =>
    `O backup ${name} tem uma data no futuro e por isso não conta. Acerte o relógio deste computador; se o relógio estiver certo, apague essa pasta quando houver um backup mais novo.`,
  'backups-ahead': (count, name) =>
    `${count} backups, como ${name}, têm uma data no futuro e por isso não contam. Acerte o relógio deste computador; se o relógio estiver certo, apague essas pastas quando houver um backup mais novo.`,
  'backup-damaged': (name, file) =>
    `O backup ${name} está danificado: o arquivo ${file} não corresponde à lista de somas de verificação.`,

  'database-damaged': (why) => `Os arquivos do banco de dados estão danificados: ${why}`,
  'database-damaged-advice':
    'Nenhum backup é apagado até que um novo dê certo. Verifique o disco e depois restaure o backup bom mais recente.',
  'damaged-page': (page, file) => `A página ${page} de ${file} não corresponde à sua soma de verificação.`,
  'damaged-end': (file) => `A última página de ${file} está cortada.`,
  'damaged-commit-log': (file, transaction) =>
    `O registro de transações e ${file} se contradizem sobre a transação ${transaction}.`,
  'damaged-sector': (path) => `O disco não consegue ler ${path}.`,
  'damaged-relation': (database, relation, why) =>
    `O banco de dados ${database} não pode ser lido, em ${relation}: ${why}`,
  'damaged-table-end': (table, database, rows, listed) =>
    `O arquivo de ${table} no banco de dados ${database} termina cedo demais, após ${rows} das ${listed} linhas que o índice lista.`,

  'database-half': (folder) =>
    `O banco de dados em ${folder} não está inteiro: nunca foi concluído, ou faltam arquivos dele.`,
  'database-gone': (folder, traces) =>
    `Não há banco de dados em ${folder}, mas havia um: ele deixou ${traces}.`,
  'database-connect': 'Se ele está em outro disco, conecte esse disco e inicie o Castellan de novo.',
  'database-restore': 'Restaure um backup se o banco de dados foi perdido.',
  'database-anew': (paths) =>
    `Para começar com um banco de dados vazio: primeiro saia do Castellan, depois mova ${paths} para outra pasta, por exemplo para a área de trabalho. Ao iniciar de novo, o Castellan cria um novo.`,
  'folder-closed': (account, folder) => `A conta ${account} não tem acesso a ${folder}.`,
  'folder-closed-advice':
    'Se o Castellan roda ali para outra conta deste computador, entre com ela. Senão, peça acesso ao dono da pasta ou a um administrador e tente de novo.',
  'folder-closed-command': (command) =>
    `O administrador abre o menu Iniciar, digita cmd, escolhe Executar como administrador e digita: ${command}`,
  'database-unreached': 'O banco de dados ainda não foi alcançado.',
  'database-unasked': 'O banco de dados ainda não foi consultado.',
  'database-preparing': 'O banco de dados está sendo preparado.',
  'database-unprepared': (why) => `Não foi possível preparar o banco de dados: ${why}`,
  'database-newer': (migration) =>
    `O banco de dados é de uma versão mais nova do Castellan (${migration}). Esta versão funciona com ele; atualize quando puder.`,
  'clock-jumped': (days) =>
    `O relógio deste computador avançou ${days} dias. Se a data estiver errada, corrija-a. Até confiar na nova data, o Castellan não exclui nada nem encerra compras ou banimentos por causa dela.`,
  'database-unreachable': 'Não é possível alcançar o banco de dados.',
  'database-cut': 'A conexão com o banco de dados foi cortada.',
  'database-login': 'O banco de dados recusa o usuário ou a senha de DATABASE_URL.',
  'database-role': 'O banco de dados recusa o usuário de DATABASE_URL.',
  'database-missing': 'O banco de dados indicado em DATABASE_URL não existe.',
  'database-disk-full':
    'O disco do banco de dados está cheio. Libere espaço nele. Depois o Castellan continua sozinho.',
  'database-connections': 'O banco de dados não tem mais conexões livres.',
  'database-stopped': 'O banco de dados foi parado.',
  'database-starting': 'O banco de dados está iniciando.',
  'database-recovering':
    'O banco de dados está se recuperando, como depois de uma queda de energia ou de uma restauração. Isso pode levar minutos; deixe o Castellan em execução.',
  'database-read-only': 'O banco de dados só pode ser lido: nada pode ser salvo.',
  'database-silent': 'O banco de dados não responde.',
  'database-late': 'O banco de dados não responde a tempo.',
  'queues-not-running': 'As filas ainda não estão em execução.',
  'disk-is-full': 'O disco do banco de dados está cheio.',
  'database-busy': (count) => `Todas as ${count} conexões com o banco de dados estão em uso.`,
  exposed: (host) =>
    `As senhas atravessam a rede sem proteção: API_HOST ${host} está aberto sem TLS. Defina TLS_CERT_FILE e TLS_KEY_FILE, ou ponha um proxy com TLS nesta máquina e volte API_HOST para 127.0.0.1.`,
};
