/**
 * Where local games stay: one row of this browser's database for each, written before anybody sees a move.
 *
 * The record is the truth, as a server's ledger is: a game in memory is only what replaying it gives. So an older page's
 * games go on in a newer one.
 */
import type { Room } from "./room.ts";

export interface Kept {
  code: string;
  room: Room;
  /** The game so far as a record; empty in the lobby. */
  record: string;
  phase: number;
  /** When it was last written, in milliseconds. */
  at: number;
  /** How often it was written: who has seen less than is there may not write over it. */
  count: number;
}

export interface Keeper {
  /** Whether games outlive this tab. */
  readonly lasts: boolean;
  read(code: string): Promise<Kept | undefined>;
  /** Write what grew out of what was read; false if somebody else has written since, and then nothing is written. */
  write(...rows: Kept[]): Promise<boolean>;
  remove(code: string): Promise<void>;
  all(): Promise<Kept[]>;
}

const DATABASE = "qwixx";
const GAMES = "games";

/** Open the browser's database, or where there is none a memory that ends with the tab. */
export async function openKeeper(): Promise<Keeper> {
  try {
    return new DatabaseKeeper(await open());
  } catch {
    return new MemoryKeeper();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(GAMES, { keyPath: "code" });
    asked.onsuccess = () => {
      // A newer page in another tab may want to change the form of the database: it must not wait for this one.
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
    asked.onblocked = () => reject(new Error("blocked"));
  });
}

class DatabaseKeeper implements Keeper {
  readonly lasts = true;

  constructor(private readonly database: IDBDatabase) {}

  read(code: string): Promise<Kept | undefined> {
    return this.look((games) => games.get(code) as IDBRequest<Kept | undefined>);
  }

  all(): Promise<Kept[]> {
    return this.look((games) => games.getAll() as IDBRequest<Kept[]>);
  }

  async remove(code: string): Promise<void> {
    const work = this.database.transaction(GAMES, "readwrite");
    work.objectStore(GAMES).delete(code);
    await done(work);
  }

  async write(...rows: Kept[]): Promise<boolean> {
    const work = this.database.transaction(GAMES, "readwrite");
    const games = work.objectStore(GAMES);
    let fits = true;
    for (const row of rows) {
      const found = games.get(row.code) as IDBRequest<Kept | undefined>;
      found.onsuccess = () => {
        fits &&= (found.result?.count ?? 0) === row.count - 1;
        if (fits) games.put(row);
        else work.abort();
      };
    }
    try {
      await done(work);
    } catch (error) {
      if (fits) throw error;
    }
    return fits;
  }

  private look<T>(ask: (games: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const asked = ask(this.database.transaction(GAMES).objectStore(GAMES));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  }
}

function done(work: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    work.oncomplete = () => resolve();
    work.onabort = () => reject(work.error ?? new Error("aborted"));
  });
}

export class MemoryKeeper implements Keeper {
  readonly lasts: boolean = false;
  private readonly rows = new Map<string, Kept>();

  async read(code: string): Promise<Kept | undefined> {
    const row = this.rows.get(code);
    return row && structuredClone(row);
  }

  async all(): Promise<Kept[]> {
    return [...this.rows.values()].map((row) => structuredClone(row));
  }

  async remove(code: string): Promise<void> {
    this.rows.delete(code);
  }

  async write(...rows: Kept[]): Promise<boolean> {
    if (rows.some((row) => (this.rows.get(row.code)?.count ?? 0) !== row.count - 1)) return false;
    for (const row of rows) this.rows.set(row.code, structuredClone(row));
    return true;
  }
}
