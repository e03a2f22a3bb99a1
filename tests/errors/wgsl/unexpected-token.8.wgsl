struct S<T> { a: T }
